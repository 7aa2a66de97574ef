package import Foundation

/// A progress that tells its observers.
package protocol ObservedProgress: Progress {
    /// The observers of its properties.
    var observers: ObserverList<Progress> { get }
}
