/// An application's own error that says why a payload cannot be accepted.
package protocol PayloadRefusal: Error {
    /// The reason in the terms of every application.
    var payloadError: PayloadError { get }
}

extension PayloadError: PayloadRefusal {
    package var payloadError: PayloadError { self }
}
