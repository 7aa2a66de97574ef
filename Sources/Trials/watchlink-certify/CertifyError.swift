import Processes

/// A reason to stop without a verdict.
struct CertifyError: Error, CustomStringConvertible {
    let code: ExitCode
    let description: String

    init(_ code: ExitCode, _ description: String) { (self.code, self.description) = (code, description) }
}
