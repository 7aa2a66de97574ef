import Foundation
import Glibc

/// Tells the process that started this one that it serves.
enum Ready {
    static func say() {
        print("ready")
        fflush(nil)
    }
}
