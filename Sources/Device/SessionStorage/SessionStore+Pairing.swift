package import LinkProtocol
package import Storage

extension SessionStore {
    /// Returns the current pairing code; nil if none was made, or the last one was used.
    package func pairingCode() throws(DatabaseError) -> PairingCode? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT hash, attempts_left FROM pairing_code")
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return PairingCode(hash: statement.text(0), attemptsLeft: Int(statement.integer(1)))
        }
    }

    /// Replaces the pairing code; nil removes it.
    package func keep(_ code: PairingCode?) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                try database.execute("DELETE FROM pairing_code")
                guard let code else { return }
                let statement = try database.statement("INSERT INTO pairing_code VALUES (?1, ?2)")
                try statement.bind(code.hash, at: 1)
                try statement.bind(Int64(code.attemptsLeft), at: 2)
                try statement.run()
            }
        }
    }
}
