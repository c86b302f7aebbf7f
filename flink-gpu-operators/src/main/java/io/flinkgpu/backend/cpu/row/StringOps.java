package io.flinkgpu.backend.cpu.row;

import io.flinkgpu.backend.cpu.transform.Numbers;
import io.flinkgpu.backend.cpu.transform.SliceOps;
import io.flinkgpu.backend.cpu.transform.TextConditions;

/** Instructions that read texts, for one row: what {@link SliceOps} and {@link TextConditions} do in blocks. */
final class StringOps {

    private StringOps() {}

    static void substring(StringSlice a, long number, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int from = Utf16.skip(text, a.begin, a.end, number - 1);
        to.put(a, from, Utf16.skip(text, from, a.end, count));
    }

    static void left(StringSlice a, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
        } else {
            to.put(a, a.begin, Utf16.skip(texts[a.source], a.begin, a.end, count));
        }
    }

    static void right(StringSlice a, int count, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
        } else {
            to.put(a, Utf16.skipBack(texts[a.source], a.begin, a.end, count), a.end);
        }
    }

    static void split(
            StringSlice a,
            String separator,
            StringSlice before,
            StringSlice after,
            String[] texts) {
        if (a.isNull()) {
            before.putNull();
            after.putNull();
            return;
        }
        int at = Utf16.find(texts[a.source], a.begin, a.end, separator);
        before.put(a, a.begin, at < 0 ? a.end : at);
        after.put(a, at < 0 ? a.begin : at + separator.length(), a.end);
    }

    static void splitPart(
            StringSlice a, String separator, int number, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int from = a.begin;
        for (int part = 1; part < number; part++) {
            int at = Utf16.find(text, from, a.end, separator);
            if (at < 0) {
                to.putNull();
                return;
            }
            from = at + separator.length();
        }
        int at = Utf16.find(text, from, a.end, separator);
        to.put(a, from, at < 0 ? a.end : at);
    }

    static void trim(StringSlice a, StringSlice to, String[] texts) {
        if (a.isNull()) {
            to.putNull();
            return;
        }
        String text = texts[a.source];
        int begin = a.begin;
        int end = a.end;
        while (begin < end && text.charAt(begin) == ' ') {
            begin++;
        }
        while (begin < end && text.charAt(end - 1) == ' ') {
            end--;
        }
        to.put(a, begin, end);
    }

    static boolean equal(StringSlice a, StringSlice b, String[] texts) {
        int length = a.length();
        if (length != b.length()) {
            return false;
        }
        String text = texts[a.source];
        String other = texts[b.source];
        // The JDK compares all of two texts in words, and parts of them a char at a time.
        return length == text.length() && length == other.length()
                ? text.equals(other)
                : text.regionMatches(a.begin, other, b.begin, length);
    }

    static boolean contains(StringSlice a, StringSlice b, String[] texts) {
        if (b.length() == 0) {
            return true;
        }
        Utf16.requireWhole(b.first(texts), b.last(texts));
        return Utf16.find(texts[a.source], a.begin, a.end, b.of(texts)) >= 0;
    }

    static boolean startsWith(StringSlice a, StringSlice b, String[] texts) {
        return matchesAt(a.begin, a, b, texts);
    }

    static boolean endsWith(StringSlice a, StringSlice b, String[] texts) {
        return matchesAt(a.end - b.length(), a, b, texts);
    }

    private static boolean matchesAt(int at, StringSlice a, StringSlice b, String[] texts) {
        if (b.length() == 0) {
            return true;
        }
        Utf16.requireWhole(b.first(texts), b.last(texts));
        return b.length() <= a.length()
                && texts[a.source].regionMatches(at, texts[b.source], b.begin, b.length());
    }

    static void length(StringSlice a, Numbers to, String[] texts) {
        to.nulls[0] = a.isNull();
        to.words[0] = a.isNull() ? 0 : Utf16.count(texts[a.source], a.begin, a.end);
    }
}
