import VirtualTime

extension Finding {
    /// Returns true if it is a finding of a test.
    func isOf(_ test: TestIdentity) -> Bool {
        script?.lines.contains { line in
            if case .start(let program) = line.deed { program.arguments == test.arguments } else { false }
        } == true
    }
}
