package io.flinkgpu.embeddings;

/**
 * Where what is in a base file.
 *
 * @param vectors how many there are
 * @param version that its writer gave it
 * @param checksum CRC-32C of its content
 * @param vectorsAt the offset of the first
 * @param idsAt the offset of the first id; {@link #NOWHERE} where ids are the numbers of vectors
 * @param scalesAt the offset of the first scale; {@link #NOWHERE} where scales are stored with their vectors, or
 *     not at all
 * @param biasesAt likewise
 */
record FileLayout(
        long vectors,
        long version,
        long checksum,
        long vectorsAt,
        long idsAt,
        long scalesAt,
        long biasesAt) {

    static final long NOWHERE = -1;

    boolean hasIds() {
        return idsAt != NOWHERE;
    }

    boolean hasOwnQuantization() {
        return scalesAt != NOWHERE;
    }
}
