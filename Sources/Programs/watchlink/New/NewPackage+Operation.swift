extension NewPackage {
    /// The configurations, the units, and what they need: an account and a directory.
    var operatingFiles: [String: String] {
        // The account is that of WatchLink, under the same file name: one group operates all applications of a machine.
        let account = "sysusers.d/watchlink.conf"
        var files = [
            "Config/host.json5": hostConfiguration, "Config/companion.json5": companionConfiguration,
            "Config/" + account: EmbeddedFiles.all[account] ?? "",
        ]
        for (path, text) in EmbeddedFiles.all where ["systemd/system/", "tmpfiles.d/"].contains(where: path.hasPrefix) {
            let place = path.replacing("/watchlink", with: "/\(name.singular)")
            files["Config/" + place] = renamed(text)
        }
        return files
    }

    /// Returns a unit's text for this application: its programs, places and payloads.
    private func renamed(_ text: String) -> String {
        let changes = [
            ("watchlink-host", name.host), ("watchlink-companion", name.companion), ("quizzes", name.plural),
            ("/etc/watchlink/", "/etc/\(name.singular)/"), ("/var/lib/watchlink", "/var/lib/\(name.singular)"),
            ("StateDirectory=watchlink", "StateDirectory=\(name.singular)"),
        ]
        return changes.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private var hostConfiguration: String {
        """
        // The phone's service. “\(name.host) --print-config” prints every setting with its value; watchlink.json5(5) describes them.
        {
          device: { name: "Phone" },

          // \(name.plural) that arrived more than keepDays days ago, or are not among the latest keepCount, are removed; 0 keeps all.
          database: { keepDays: 0, keepCount: 0 },

          log: { level: "info" },
        }

        """
    }

    private var companionConfiguration: String {
        """
        // The watch's service. “\(name.companion) --print-config” prints every setting with its value; watchlink.json5(5) describes them.
        {
          device: { name: "Watch" },

          log: { level: "info" },
        }

        """
    }
}
