package io.flinkgpu.operator.lookup;

/**
 * What became of a vector since its table's base file.
 *
 * @param timestamp of the change; the least one in the order of arrival
 * @param vector null if it is deleted
 */
record Delta(long timestamp, byte[] vector) {

    /** Shows nothing of the vector. */
    @Override
    public String toString() {
        return "Delta[" + (vector == null ? "delete" : "bytes=" + vector.length) + "]";
    }
}
