import Etalon

/// The code of the article of the same name, in its order: a test compares the two.
enum GraphDocuments {
  static func spot(_ photo: Image, _ library: FilterLibrary) throws -> Image {
    let spot = try photo.applying(library["mosaic-spot"], ["blockSize": 12])
    return spot
  }
}
