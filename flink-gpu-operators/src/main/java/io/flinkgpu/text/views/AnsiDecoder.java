package io.flinkgpu.text.views;

/** Control sequences, and strings for the terminal's title and links, are left out (ECMA-48 sections 5.4 and 5.6). */
final class AnsiDecoder extends Decoder {

    private static final int ESCAPE = 0x1b;
    private static final int BELL = 7;

    /** The longest sequence; what is longer is none, so that no escape is paired with a far end. */
    private static final int MAX_BYTES = 256;

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte == ESCAPE;
    }

    @Override
    int decode(byte[] text, int at, int end) {
        int limit = Math.min(end, at + MAX_BYTES);
        if (at + 1 >= limit) {
            return -1;
        }
        if (text[at + 1] == '[') {
            int to = at + 2;
            while (to < limit && text[to] >= 0x20 && text[to] < 0x40) {
                to++;
            }
            return to < limit && text[to] >= 0x40 && text[to] < 0x7f ? to + 1 - at : -1;
        }
        if (text[at + 1] == ']') {
            for (int to = at + 2; to < limit; to++) {
                if (text[to] == BELL) {
                    return to + 1 - at;
                }
                if (text[to] == ESCAPE && to + 1 < limit && text[to + 1] == '\\') {
                    return to + 2 - at;
                }
            }
        }
        return -1;
    }
}
