package io.flinkgpu.backend.cpu.row;

/**
 * A register for a part of one of a row's {@code String}s, or for null. It never begins or ends within a
 * surrogate pair. Knows its String by number, for a reference to one, kept from row to row, would cost
 * the garbage collector more than the row.
 */
final class StringSlice {

    private static final int NULL = -1;

    /** Among the row's Strings; negative if it is null. */
    int source = NULL;

    /** In chars, as {@link #end}. */
    int begin;

    int end;

    boolean isNull() {
        return source < 0;
    }

    int length() {
        return end - begin;
    }

    void putNull() {
        source = NULL;
    }

    /** Becomes a part of another's String; not null. */
    void put(StringSlice of, int newBegin, int newEnd) {
        source = of.source;
        begin = newBegin;
        end = newEnd;
    }

    void put(StringSlice other) {
        put(other, other.begin, other.end);
    }

    /** Becomes all of a String, or null where that is. */
    void putAll(int newSource, String text) {
        source = text == null ? NULL : newSource;
        begin = 0;
        end = text == null ? 0 : text.length();
    }

    /** As a String of its own; not null. */
    String of(String[] texts) {
        return texts[source].substring(begin, end);
    }

    /** The first char of a text that is not empty. */
    char first(String[] texts) {
        return texts[source].charAt(begin);
    }

    /** The last char of a text that is not empty. */
    char last(String[] texts) {
        return texts[source].charAt(end - 1);
    }
}
