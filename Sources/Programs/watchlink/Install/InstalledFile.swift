/// One file of an installation.
struct InstalledFile {
    enum Content {
        /// A program that lies beside this one.
        case program(String)
        case text(String)
    }

    /// What people do with it.
    enum Role {
        case plain
        /// Theirs to change: never overwritten, and removed only if it is as it was installed.
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
