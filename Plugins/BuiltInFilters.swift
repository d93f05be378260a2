internal import Foundation

/// Finds the filters that Etalon ships: the folders beside this file, which a build puts next to its products.
package enum BuiltInFilters {
  /// The name that a build gives to the folder with the filters.
  package static let folderName = "etalon_EtalonPlugins.resources"

  /// Where the filters may lie: beside the running program, or where packages are installed.
  package static var places: [String] {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let beside = program.appending(path: folderName).path
    let installed = program.appending(path: "../share/etalon/filters").standardizedFileURL.path
    return [beside, installed]
  }

  /// The first of these places where there is a folder; nil when there is none.
  package static var folder: String? {
    places.first { place in
      var isFolder: ObjCBool = false
      return unsafe FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && isFolder.boolValue
    }
  }
}
