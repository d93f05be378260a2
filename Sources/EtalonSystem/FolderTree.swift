internal import Glibc

/// What lies in a folder and in the folders in it, links followed; hidden names are left out.
///
/// Every folder is looked at once, so that links that lead around in a circle end nowhere: folders that lie here come first, then those that links lead to.
///
/// **Concurrency**: an immutable value; it shows the folders as they were when it was made.
package struct FolderTree: Sendable {
  /// Something that is not looked at.
  package struct UnreadableEntry: Sendable, Hashable {
    /// Below the folder; empty for the folder itself.
    package let path: String
    /// `a link to nothing`.
    package let kind: String
    package let help: String
  }

  /// The paths of regular files below the folder, sorted.
  package private(set) var files: [String] = []
  /// The paths of the folders in it, sorted; links to folders that are looked at by another name are here, too.
  package private(set) var folders: [String] = []
  /// What is not looked at, sorted.
  package private(set) var unreadable: [UnreadableEntry] = []

  private let root: String
  private var entered: EnteredFolders
  /// Links to folders, which wait until all folders that lie here are known.
  private var links: [String] = []

  /// Looks through a folder.
  ///
  /// - Parameter entering: whether a folder of some name is looked into.
  package init(_ root: String, entering: (String) -> Bool = { _ in true }) {
    self.root = root
    entered = EnteredFolders(around: root)
    search("", entering)
    while !links.isEmpty {
      let link = links.removeFirst()
      search(link, entering)
    }
    files.sort()
    folders.sort()
    unreadable.sort { $0.path < $1.path }
  }

  private mutating func search(_ folder: String, _ entering: (String) -> Bool) {
    guard folder.isEmpty || entering(folder.split(separator: "/").last.map(String.init) ?? folder) else { return }
    guard entered.enter(path(folder)) else { return }
    guard let listed = FolderNames(path(folder)) else {
      return report(folder, "a folder that cannot be read", "see what its permissions are")
    }
    for name in listed.escaped { report(join(folder, name), "a name that is not UTF-8", "rename it") }
    for name in listed.names where !name.hasPrefix(".") {
      let inside = join(folder, name)
      switch FolderEntry(path(inside)) {
      case .file: files.append(inside)
      case .folder:
        folders.append(inside)
        search(inside, entering)
      case .linkedFolder where entered.isElsewhere(path(inside)): report(inside, "a link to another file system", "name the folder itself")
      case .linkedFolder:
        folders.append(inside)
        links.append(inside)
      case .brokenLink: report(inside, "a link to nothing", "remove it")
      case .closed: report(inside, "closed to this user", "see what the permissions of its folders are")
      case .other: report(inside, "no regular file", "remove it, or put a file in its place")
      case .missing: break
      }
    }
  }

  private mutating func report(_ path: String, _ kind: String, _ help: String) {
    unreadable.append(UnreadableEntry(path: path, kind: kind, help: help))
  }

  private func path(_ inside: String) -> String { inside.isEmpty ? root : join(root, inside) }

  private func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

/// What a name in a folder stands for.
package enum FolderEntry: Sendable {
  /// A regular file, or a link to one.
  case file
  case folder
  case linkedFolder
  case brokenLink
  /// A pipe, a socket, a device, or a link to one: opening it might wait, and reading it take away what others need.
  case other
  /// The permissions of a folder on the way do not let it be looked at.
  case closed
  /// It was removed meanwhile.
  case missing

  /// Looks at a path.
  package init(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      self = errno == EACCES ? .closed : .missing
      return
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    guard unsafe !isLink || stat(path, &status) == 0 else {
      self = errno == EACCES ? .closed : .brokenLink
      return
    }
    self =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: isLink ? .linkedFolder : .folder
      default: .other
      }
  }
}

/// The folders that a walk has entered, told by device and number, whatever their paths are.
package struct EnteredFolders: Sendable {
  private struct Identity: Hashable {
    let device: dev_t
    let number: ino_t
  }

  private var known: Set<Identity> = []
  /// The file system of the folder where the walk begins; nil where it cannot be looked at.
  private let device: dev_t?

  /// - Parameter root: where the walk begins; the folders that it lies in count as entered, because links to them lead around in a circle.
  package init(around root: String) {
    var status = stat()
    device = unsafe stat(root, &status) == 0 ? status.st_dev : nil
    guard let real = unsafe realpath(root, nil) else { return }
    defer { unsafe free(real) }
    var path = unsafe String(cString: real)
    while path != "/", let slash = path.lastIndex(of: "/") {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      _ = enter(path)
    }
  }

  /// Whether a folder lies in another file system than that where the walk began, such as `/proc` or a network.
  package func isElsewhere(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_dev != device
  }

  /// Whether a folder is entered for the first time; one that cannot be looked at counts as such, so that opening it says why.
  package mutating func enter(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    return known.insert(Identity(device: status.st_dev, number: status.st_ino)).inserted
  }
}

// MARK: Names

/// The names in a folder.
///
/// Names are bytes to the system and text here; those that are no UTF-8 would be changed on the way, and then name nothing.
package struct FolderNames: Sendable, Hashable {
  /// Sorted, without `.` and `..`.
  package private(set) var names: [String] = []
  /// The names that are no UTF-8, with escapes such as `\xE9` for what is none.
  package private(set) var escaped: [String] = []

  /// Lists a folder; nil when that is impossible, which `errno` tells.
  package init?(_ path: String) {
    guard let stream = unsafe opendir(path.isEmpty ? "." : path) else { return nil }
    defer { _ = unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if let name = String(validating: bytes, as: UTF8.self) {
        if name != ".", name != ".." { names.append(name) }
      } else {
        escaped.append(EscapedBytes.text(bytes))
      }
    }
    names.sort()
    escaped.sort()
  }
}

/// Bytes that should be UTF-8 as text, with escapes for those that are not.
package enum EscapedBytes {
  /// `caf\xE9.glsl`.
  package static func text(_ bytes: [UInt8]) -> String {
    var out = ""
    var rest = bytes[...]
    while let first = rest.first {
      // The longest character that begins here has four bytes.
      let length = (1...4).first { $0 <= rest.count && String(validating: rest.prefix($0), as: UTF8.self) != nil }
      if let length {
        out += String(decoding: rest.prefix(length), as: UTF8.self)
      } else {
        out += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return out
  }
}
