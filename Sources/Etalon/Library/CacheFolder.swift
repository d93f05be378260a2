/// The user's folder for what can be made again.
enum CacheFolder {
  /// `$XDG_CACHE_HOME/etalon/<name>`, else `~/.cache/etalon/<name>`; nil when there is no home either.
  static func path(_ name: String, environment: [String: String]) -> String? {
    // The specification of these variables has relative paths ignored.
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return "\(folder)/etalon/\(name)" }
    if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.cache/etalon/\(name)" }
    return nil
  }
}
