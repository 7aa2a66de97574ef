extension Cassette {
    /// Writes a copy of a cassette that its program did not finish, because it was killed when everything was recorded,
    /// as a finished one.
    ///
    /// - Parameter findings: The lines by which it said that something is wrong.
    package func writeFinished(to path: String, findings: [String]) throws(CassetteError) {
        var manifest = manifest
        let writer = try CassetteWriter(path, manifest)
        var known: Set<String> = []
        var lines: [RecordingMachine.Lines] = []
        var schema = CassetteSchema()
        for event in events {
            var line = RecordingMachine.Lines()
            line.event = event.line
            if let digest = event.content, let content = contents[digest] {
                if known.insert(digest).inserted {
                    line.content = CassetteContent.line(
                        digest: digest, bytes: content.bytes, text: content.value.text)
                }
                schema.learn(content.value, of: "\(event.side) \(event.kind)")
            }
            lines.append(line)
        }
        writer.add(lines)
        if let failure = writer.failure { throw failure }
        manifest.state = .complete
        manifest.findings = findings.isEmpty ? nil : findings
        (manifest.events, manifest.contents) = (writer.written.events, writer.written.contents)
        try writer.write(schema)
        try writer.write(manifest)
    }
}
