/// The data that an archiver keeps for a type.
struct ArchivedTypeInfo: BitwiseCopyable {
    let isClass: Bool
    let isNSObject: Bool
    let isCollection: Bool
    /// The reference to its description if it is a class that was written; otherwise zero.
    var cls: KeyedArchiver.Reference = 0
    /// The form, which lives as long as the process.
    let form: Unmanaged<TypeForm>

    init(_ form: TypeForm) {
        isClass = form.isClass
        isNSObject = form.isNSObject
        if case .collection = form.kind { isCollection = true } else { isCollection = false }
        self.form = Unmanaged.passUnretained(form)
    }
}
