/// One file of an installation.
struct InstalledFile {
    enum Content {
        /// A program in this program's directory.
        case program(String)
        case text(String)
    }

    /// The role of the file.
    enum Role {
        case plain
        /// Editable by the user: never overwritten, and removed only if unmodified.
        case configuration
    }

    let path: String
    let content: Content
    let role: Role

    init(_ path: String, _ content: Content, _ role: Role = .plain) {
        self.path = path
        self.content = content
        self.role = role
    }
}
