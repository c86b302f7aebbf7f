package io.flinkgpu.text.fields;

import java.nio.charset.StandardCharsets;

/**
 * Finds the fields of {@code key=value key="quoted \" value" word}: names and bare values have no spaces, control
 * characters and quotes, names no {@code =}. A record without any {@code key=} is not logfmt. What ends with {@code ==}
 * is a word, as the end of a value in base64 may be.
 */
final class LogfmtScanner extends FieldScanner {

    private final FieldRules rules;

    LogfmtScanner(FieldRules rules) {
        super(rules);
        this.rules = rules;
    }

    @Override
    boolean isOfFormat() {
        boolean pairs = false;
        int container = fields.startContainer();
        int at = skipSpaces(0);
        while (at < end) {
            int keyEnd = at;
            while (keyEnd < end && isBareByte(record[keyEnd]) && record[keyEnd] != '=') {
                keyEnd++;
            }
            if (keyEnd == at) {
                return false;
            }
            FieldRules.Place place =
                    rules.hasPaths()
                            ? rules.root()
                                    .next(
                                            new String(
                                                    record,
                                                    at,
                                                    keyEnd - at,
                                                    StandardCharsets.UTF_8))
                            : null;
            int valueEnd = afterEqualsSigns(keyEnd);
            int signs = valueEnd - keyEnd;
            if (signs == 1 || signs > 1 && valueEnd < end && !isSpace(record[valueEnd])) {
                pairs = true;
                fields.add(new Fields.Token(Fields.Kind.KEY, at, keyEnd, false, null));
                valueEnd = value(keyEnd + 1, place == null ? null : place.rules());
                if (valueEnd < 0) {
                    return false;
                }
            } else {
                fields.add(new Fields.Token(Fields.Kind.WORD, at, valueEnd, false, null));
            }
            if (valueEnd < end && !isSpace(record[valueEnd])) {
                return false;
            }
            fields.addMember(at, valueEnd, place != null && place.isLeftOut(false));
            at = skipSpaces(valueEnd);
        }
        fields.endContainer(container);
        return pairs;
    }

    private int afterEqualsSigns(int from) {
        int at = from;
        while (at < end && record[at] == '=') {
            at++;
        }
        return at;
    }

    private int value(int from, boolean[] bound) {
        if (from < end && record[from] == '"') {
            boolean escaped = false;
            for (int to = from + 1; to < end; to++) {
                if (record[to] == '"') {
                    fields.add(new Fields.Token(Fields.Kind.QUOTED, from + 1, to, escaped, bound));
                    return to + 1;
                }
                if (record[to] == '\\') {
                    escaped = true;
                    to++;
                }
            }
            return -1;
        }
        int to = from;
        while (to < end && isBareByte(record[to])) {
            to++;
        }
        fields.add(new Fields.Token(Fields.Kind.BARE, from, to, false, bound));
        return to;
    }

    @Override
    public boolean isBareByte(byte b) {
        return (b > ' ' || b < 0) && b != '"' && b != 0x7f;
    }
}
