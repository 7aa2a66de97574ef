#if os(iOS)
    import Foundation

    /// A control as written before closures were usual.
    final class RefreshTarget: NSObject {
        func start() -> Timer {
            Timer(timeInterval: 60, target: self, selector: #selector(fire), userInfo: nil, repeats: true)
        }

        @objc private func fire() {}
    }
#endif
