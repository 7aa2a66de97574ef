import DeviceEngine
import LinkProtocol

/// Faults on demand, as a tester of the product injects them.
extension SimulatedShell {
    /// Applies a rule to packages for a while; then all rules end and held packages proceed.
    func meet(_ rule: FaultRule, for span: Duration) {
        act { engine, moment in
            engine.changeFaults(at: moment) { faults in
                faults.add(rule)
                return ((), [])
            }
        }
        schedule(after: span.wholeNanoseconds) { [self] in endPackageFaults() }
    }

    /// Makes the device's view of reachability wrong for a while.
    func mistake(_ fault: ReachabilityFault, for span: Duration) {
        act { $0.setReachability(fault, at: $1) }
        schedule(after: span.wholeNanoseconds) { [self] in endReachabilityFault() }
    }

    func endFaults() {
        endPackageFaults()
        endReachabilityFault()
    }

    private func endPackageFaults() { act { $0.changeFaults(at: $1) { ((), $0.clear()) } } }
    private func endReachabilityFault() { act { $0.setReachability(ReachabilityFault(), at: $1) } }
}
