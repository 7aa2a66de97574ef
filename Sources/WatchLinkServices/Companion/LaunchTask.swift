import QuizSync

/// The background time of the service's launch. Nothing suspends a service, so its end has no further effect.
final class LaunchTask: BackgroundTask {
    func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {}
}
