package io.flinkgpu.text.fields;

import io.flinkgpu.text.fields.FieldRules.Place;
import io.flinkgpu.text.fields.Fields.Kind;

import java.nio.charset.StandardCharsets;

/**
 * Finds the fields of a record that is one JSON object or array (RFC 8259) of at most {@value #MAX_DEPTH} levels.
 * Strings may hold bytes that are no UTF-8. A scanner of our own, as places of bytes are what is asked for.
 */
final class JsonScanner extends FieldScanner {

    private static final int MAX_DEPTH = 1000;
    private static final int BAD = -1;

    private final FieldRules rules;

    /** Of each level: where the names lead to, its first member, where its member under way starts. */
    private final Place[] places = new Place[MAX_DEPTH];

    private final int[] firstMembers = new int[MAX_DEPTH];
    private final int[] memberStarts = new int[MAX_DEPTH];
    private final Place[] memberPlaces = new Place[MAX_DEPTH];
    private final boolean[] objects = new boolean[MAX_DEPTH];

    private boolean escaped;

    JsonScanner(FieldRules rules) {
        super(rules);
        this.rules = rules;
    }

    @Override
    boolean isOfFormat() {
        int at = skipSpaces(0);
        if (at == end || record[at] != '{' && record[at] != '[') {
            return false;
        }
        at = containers(at, rules.hasPaths() ? rules.root() : null);
        return at != BAD && skipSpaces(at) == end;
    }

    /** Reads the container that starts at an offset, with all that are in it; returns its end. */
    private int containers(int from, Place root) {
        int depth = 0;
        int at = open(from, depth, root);
        boolean first = true;
        while (true) {
            at = skipSpaces(at);
            if (at == end) {
                return BAD;
            }
            byte close = (byte) (objects[depth] ? '}' : ']');
            if (record[at] == close) {
                // A comma has been read where a member came before.
                if (!first && lastByte(at) == ',') {
                    return BAD;
                }
                at++;
                fields.endContainer(firstMembers[depth]);
                if (depth == 0) {
                    return at;
                }
                depth--;
                at = endMember(depth, at, true);
                first = false;
                if (at == BAD) {
                    return BAD;
                }
                continue;
            }
            memberStarts[depth] = at;
            memberPlaces[depth] = places[depth];
            if (objects[depth]) {
                at = key(at, depth);
                if (at == BAD) {
                    return BAD;
                }
            }
            if (at < end && (record[at] == '{' || record[at] == '[')) {
                if (++depth == MAX_DEPTH) {
                    return BAD;
                }
                at = open(at, depth, memberPlaces[depth - 1]);
                first = true;
                continue;
            }
            at = value(at, memberPlaces[depth]);
            at = at == BAD ? BAD : endMember(depth, at, false);
            first = false;
            if (at == BAD) {
                return BAD;
            }
        }
    }

    private int lastByte(int before) {
        int at = before - 1;
        while (isSpace(record[at])) {
            at--;
        }
        return record[at];
    }

    private int open(int at, int depth, Place place) {
        objects[depth] = record[at] == '{';
        places[depth] = place;
        firstMembers[depth] = fields.startContainer();
        return at + 1;
    }

    /** Notes a member that ends at an offset, and goes to the next one, or to the end of the container. */
    private int endMember(int depth, int at, boolean container) {
        Place place = memberPlaces[depth];
        fields.addMember(memberStarts[depth], at, place != null && place.isLeftOut(container));
        int next = skipSpaces(at);
        if (next == end) {
            return BAD;
        }
        if (record[next] == ',') {
            return next + 1;
        }
        return record[next] == (objects[depth] ? '}' : ']') ? next : BAD;
    }

    private int key(int from, int depth) {
        if (record[from] != '"') {
            return BAD;
        }
        int to = string(from);
        if (to == BAD) {
            return BAD;
        }
        fields.add(new Fields.Token(Kind.KEY, from + 1, to - 1, escaped, null));
        if (places[depth] != null) {
            memberPlaces[depth] = places[depth].next(name(from + 1, to - 1));
        }
        int colon = skipSpaces(to);
        if (colon == end || record[colon] != ':') {
            return BAD;
        }
        return skipSpaces(colon + 1);
    }

    private String name(int from, int to) {
        return escaped
                ? Unescaped.text(record, from, to)
                : new String(record, from, to - from, StandardCharsets.UTF_8);
    }

    private int value(int from, Place place) {
        if (from == end) {
            return BAD;
        }
        boolean[] bound = place == null ? null : place.rules();
        if (record[from] == '"') {
            int to = string(from);
            if (to != BAD) {
                fields.add(new Fields.Token(Kind.QUOTED, from + 1, to - 1, escaped, bound));
            }
            return to;
        }
        int to = bare(from);
        if (to != BAD) {
            fields.add(new Fields.Token(Kind.BARE, from, to, false, bound));
        }
        return to;
    }

    /** Reads a string from its quote on; returns what is after it. */
    private int string(int from) {
        escaped = false;
        int at = from + 1;
        while (at < end && record[at] != '"') {
            if (record[at] >= 0 && record[at] < ' ') {
                return BAD;
            }
            if (record[at] == '\\') {
                escaped = true;
                int size = Unescaped.sizeAt(record, at, end);
                if (size == 0) {
                    return BAD;
                }
                at += size;
            } else {
                at++;
            }
        }
        return at < end ? at + 1 : BAD;
    }

    private int bare(int from) {
        return switch (record[from]) {
            case 't' -> word(from, "true");
            case 'f' -> word(from, "false");
            case 'n' -> word(from, "null");
            default -> number(from);
        };
    }

    private int word(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (from + i >= end || record[from + i] != word.charAt(i)) {
                return BAD;
            }
        }
        return from + word.length();
    }

    private int number(int from) {
        int at = from < end && record[from] == '-' ? from + 1 : from;
        int digits = digits(at);
        if (digits == 0 || digits > 1 && record[at] == '0') {
            return BAD;
        }
        at += digits;
        if (at < end && record[at] == '.') {
            digits = digits(at + 1);
            if (digits == 0) {
                return BAD;
            }
            at += 1 + digits;
        }
        if (at < end && (record[at] | 0x20) == 'e') {
            at++;
            at += at < end && (record[at] == '+' || record[at] == '-') ? 1 : 0;
            digits = digits(at);
            if (digits == 0) {
                return BAD;
            }
            at += digits;
        }
        return at;
    }

    private int digits(int from) {
        int at = from;
        while (at < end && record[at] >= '0' && record[at] <= '9') {
            at++;
        }
        return at - from;
    }

    @Override
    public boolean isBareByte(byte b) {
        return false;
    }
}
