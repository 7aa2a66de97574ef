package import Processes

/// A reason why a trial with a server cannot be held on this machine.
package struct SetUpError: Error, CustomStringConvertible {
    package let code: ExitCode
    package let description: String

    package init(_ code: ExitCode, _ description: String) { (self.code, self.description) = (code, description) }
}
