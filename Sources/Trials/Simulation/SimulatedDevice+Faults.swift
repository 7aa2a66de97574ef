import DeviceEngine
import LinkProtocol

/// Faults on demand, as a tester of the product asks for them.
extension SimulatedDevice {
    /// Packages meet a rule for a while; then all rules end, and what waits goes on.
    func meet(_ rule: FaultRule, for span: Duration) {
        act { engine, moment in
            engine.changeFaults(at: moment) { faults in
                faults.add(rule)
                return ((), [])
            }
        }
        schedule(after: span.wholeNanoseconds) { [self] in endPackageFaults() }
    }

    /// The device's idea of who is reachable goes wrong for a while.
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
