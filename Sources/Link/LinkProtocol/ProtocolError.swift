/// A violation of the protocol by a peer. Only the connection to that peer is closed.
package struct ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        case frameTooLong = "frame too long"
        case emptyFrame = "empty frame"
        case unknownFrame = "unknown frame"
        case badPiece = "bad piece"
        case badAcknowledgement = "bad acknowledgement"
        case piecesFull = "too many pieces"
        case unreadablePackage = "unreadable package"
        case badHello = "bad hello"
        case badState = "bad state"
        case badFile = "bad file package"
        case versionMismatch = "version mismatch"
        case wrongRole = "wrong role"
        case helloExpected = "hello expected"
        case helloRepeated = "hello repeated"
        case helloTimeout = "hello time-out"
        case tooManyHellos = "too many unfinished hellos"
        case silent = "silent"
    }

    package let code: Code
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
