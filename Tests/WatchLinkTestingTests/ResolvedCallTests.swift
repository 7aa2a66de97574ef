import Testing

@testable import WatchLinkTesting

@Suite("Whose a call on a stack is")
struct ResolvedCallTests {
    private static let written = "$s4prog6ScreenC4sendyyF"
    private static let session = "$s17WatchConnectivity9WCSessionC8activateyyF"
    private static let shell = "$s11DeviceShell0aB0C5startyyF"
    private static let witness = "$s4prog5ModelC17WatchConnectivity17WCSessionDelegateAadEPTW"
    private static let assumption = "$sScM14assumeIsolated_4file4linexxyKScMYcXE_s12StaticStringVSutKlFZ"

    @Test("Code with a line is its author's, except for the session's own and the compiler's")
    func lines() {
        for name in [Self.written, "main", Self.assumption] {
            #expect(ResolvedCall(name: name, line: 1).isWritten, "\(name)")
            #expect(!ResolvedCall(name: name, line: 0).isWritten, "\(name)")
        }
        for name in [Self.session, Self.shell, Self.witness] {
            #expect(!ResolvedCall(name: name, line: 1).isWritten, "\(name)")
        }
        #expect(!ResolvedCall(name: nil, line: 1).isWritten)
    }

    @Test("Code without lines is its author's if it is Swift's and no library's")
    func names() {
        #expect(ResolvedCall(name: Self.written).isWritten)
        let others = [
            "main", Self.session, Self.shell, Self.witness, Self.assumption, "$sSS4progE4sendyyF",
            "$s10Foundation4DataV5countSivg", "$s8Dispatch0A5QueueC4syncyyF", "$sIeg_ytIegr_TR",
        ]
        for name in others { #expect(!ResolvedCall(name: name).isWritten, "\(name)") }
        #expect(!ResolvedCall(name: nil).isWritten)
    }

    @Test("The session's own code is that of its modules")
    func own() {
        for name in [Self.session, Self.shell] { #expect(ResolvedCall(name: name).isOwn, "\(name)") }
        for name in [Self.written, Self.witness, nil] { #expect(!ResolvedCall(name: name).isOwn, "\(name ?? "")") }
    }

    @Test("Only a witness of the delegate's protocol calls a method of a delegate, and tells its type")
    func witnesses() {
        let call = ResolvedCall(name: Self.witness)
        #expect(call.isWitness)
        #expect(call.typePrefix == "$s4prog5ModelC")
        let others = [
            Self.written, "$s4prog5ModelCSQAASQ2eeoiySbx_xtFZTW",
            "$s4prog5ModelC17WatchConnectivity17WCSessionDelegateAadEPF", nil,
        ]
        for name in others {
            let other = ResolvedCall(name: name)
            #expect(!other.isWitness, "\(name ?? "")")
            #expect(other.typePrefix == nil, "\(name ?? "")")
        }
    }

    @Test("Only the function of that name assumes an actor")
    func assumptions() {
        #expect(ResolvedCall(name: Self.assumption).isAssumption)
        for name in [Self.written, nil] { #expect(!ResolvedCall(name: name).isAssumption, "\(name ?? "")") }
    }
}
