/// A namespace for subscribers and what they exchange with publishers.
public enum Subscribers {}
