package io.flinkgpu.api;

/** In the place of a getter: a field of lines, whose format says its type. */
record FieldOfLine<T>(String name) implements ValueGetter<T, Object> {

    private static final long serialVersionUID = 1L;

    /** In the place of its type. */
    static final ColumnType ANY = ColumnType.LONG;

    FieldOfLine {
        Errors.present("field", name);
    }

    /** The field that is in the place of a getter; null if none is. */
    static String name(Object getter) {
        return getter instanceof FieldOfLine<?> field ? field.name : null;
    }

    @Override
    public Object get(T row) {
        throw new IllegalStateException(
                "a field by name is one of GpuStreams.lines(..): field='" + name + "'");
    }
}
