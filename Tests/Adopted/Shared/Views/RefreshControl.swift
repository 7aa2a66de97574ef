#if os(iOS)
    import Foundation

    /// A control as written before closures were usual.
    final class RefreshTarget: NSObject {
        func start() -> Timer {
            Timer(timeInterval: 60, target: self, selector: #selector(getter: fire), userInfo: nil, repeats: true)
        }

        @objc private var fire: Bool { true }
    }
#endif
