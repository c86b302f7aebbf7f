package io.flinkgpu.cells;

/**
 * Keeps the {@link Entries entry} of the best row.
 *
 * @param greatest whether the greatest row is the best; if not, the least is
 */
record BestRow(Entries entries, boolean greatest) implements CellFunction {

    private static final long serialVersionUID = 1L;

    @Override
    public boolean isCell(byte[] bytes, int at, int length) {
        return entries.end(bytes, at, at + length) == at + length;
    }

    @Override
    public void merge(Cell into, byte[] more, int at, int length) {
        if (into.length() == 0 || entries.compare(into, 0, more, at, greatest) > 0) {
            into.resize(length);
            into.put(0, more, at, length);
        }
    }

    @Override
    public int mostBytes(int length, int more) {
        return Math.max(length, more);
    }

    @Override
    public Object result(byte[] cell, int at, int length) {
        return entries.result(cell, at);
    }
}
