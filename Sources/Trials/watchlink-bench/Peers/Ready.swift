import Foundation
import Glibc

/// Reports readiness to the process that started this one.
enum Ready {
    static func say() {
        print("ready")
        fflush(nil)
    }
}
