package io.flinkgpu.operator.search;

/**
 * A {@link PackedDocument} in state: its bytes and spare ones, for the next version of it, the last of which says
 * how many these are.
 */
final class KeptDocument {

    /** One part in so many of a document is left free. */
    private static final int SPARE_PARTS = 8;

    private static final int MOST_SPARE = 255;

    /** Arrays take whole words, however many bytes they have. */
    private static final int WORD = Long.BYTES;

    private KeptDocument() {}

    /** How many bytes come after a document of so many in a new array. */
    static int spare(int length) {
        int spare = Math.min(length / SPARE_PARTS, MOST_SPARE - WORD) + 1;
        return spare + (-(length + spare) & WORD - 1);
    }

    /** A new one. */
    static byte[] of(byte[] packed) {
        byte[] kept = new byte[packed.length + spare(packed.length)];
        write(packed, kept);
        return kept;
    }

    /** Writes another document over it, unless that has no room, or far too much. */
    static boolean replace(byte[] kept, byte[] packed) {
        int spare = kept.length - packed.length;
        if (spare < 1 || spare > MOST_SPARE || spare > packed.length + 2 * WORD) {
            return false;
        }
        write(packed, kept);
        return true;
    }

    private static void write(byte[] packed, byte[] kept) {
        System.arraycopy(packed, 0, kept, 0, packed.length);
        end(kept, packed.length);
    }

    /** Says where its document ends. */
    static void end(byte[] kept, int length) {
        kept[kept.length - 1] = (byte) (kept.length - length);
    }

    /** How many of its bytes are the document. */
    static int length(byte[] kept) {
        return kept.length - Byte.toUnsignedInt(kept[kept.length - 1]);
    }
}
