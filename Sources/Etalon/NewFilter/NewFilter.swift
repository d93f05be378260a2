package import EtalonDiagnostics

/// Writes the folder of a new filter: a commented text, a test case, and the pictures that the case needs.
package struct NewFilter: Sendable {
  private let template: FilterTemplate
  private let name: String
  private let folder: String

  /// Checks the name, which has to be one that libraries can offer.
  ///
  /// - Parameter parent: the folder that the filter's own folder is put into; empty for the working folder.
  package init(_ template: FilterTemplate, named name: String, in parent: String) throws(DiagnosticsError) {
    guard FilterName.isName(name) else { throw DiagnosticsError(Self.noName(name)) }
    self.template = template
    self.name = name
    folder = parent.isEmpty ? name : parent.hasSuffix("/") ? parent + name : "\(parent)/\(name)"
  }

  /// The path of the filter file.
  package var path: String { "\(folder)/\(name).\(template.fileExtension)" }

  /// Writes everything and returns the paths; refuses a folder that is there already.
  package func write() throws(RenderError) -> [String] {
    var files = [("\(name).\(template.fileExtension)", Array(template.text.utf8)), ("tests/default.json", Array(caseText.utf8))]
    for (index, input) in template.inputs.enumerated() {
      files.append(("tests/\(input).png", try TestPicture(turned: index > 0).png()))
    }
    try NewFolder(folder).write(files, otherwise: "give the filter another name, or type '--folder' and where its folder is to be made")
    return files.map { "\(folder)/\($0.0)" }
  }

  /// A case with the defaults of all parameters; its reference is still to be recorded.
  private var caseText: String {
    let inputs = template.inputs.map { "\"\($0)\": \"\($0).png\"" }.joined(separator: ", ")
    let size = template.inputs.isEmpty ? ",\n  \"size\": \"64x64\"" : ",\n  \"inputs\": { \(inputs) }"
    return "{\n  \"filter\": \"\(name)\"\(size),\n  \"values\": {},\n  \"frames\": [0],\n  \"reference\": \"default.png\"\n}\n"
  }

  private static func noName(_ name: String) -> Diagnostic {
    let help = FilterName.kebabCase(name).map { "type '\($0)'" } ?? "type a name such as 'soft-glow'"
    return Diagnostic(
      "library.name", "'\(name)' is no name of a filter", help: [help], notes: ["names have small letters, digits and hyphens"])
  }
}
