package io.flinkgpu.testkit;

import io.flinkgpu.api.Form;
import io.flinkgpu.api.Structure;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a JSON or logfmt record, as plainly as can be: RFC 8259 read by recursion, logfmt by one pattern, of
 * texts in which each char is a byte.
 */
final class PlainFields {

    /** What a token is. */
    enum Kind {
        NAME,
        QUOTED,
        BARE,
        /** In logfmt, what has no name. */
        WORD
    }

    /**
     * A name or a value, without its quotes.
     *
     * @param hasEscapes whether it is in quotes and has a backslash
     * @param path of a value
     */
    record Token(Kind kind, int from, int to, boolean hasEscapes, List<String> path) {}

    /** A member, an element, a pair or a word, with what is in it. */
    record Field(int from, int to, List<String> path, boolean holdsFields, List<Field> fields) {}

    /** That a record is not of its format. */
    private static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static final int MAX_LEVELS = 1_000;
    private static final Pattern SPACE = Pattern.compile("[ \\t\\n\\r]*+");
    private static final Pattern STRING =
            Pattern.compile(
                    "\"((?:[^\\x00-\\x1f\"\\\\]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+)\"");
    private static final Pattern BARE =
            Pattern.compile("-?(?:0|[1-9]\\d*+)(?:\\.\\d++)?(?:[eE][+-]?\\d++)?|true|false|null");
    private static final Pattern PAIR_OR_WORD =
            Pattern.compile(
                    "([^\\x00- \\x7f=\"]++)=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|(?!=++(?![^\\x00- \\x7f\"]))([^\\x00- \\x7f\"]*+))(?=[ \\t\\n\\r]|$)"
                            + "|[^\\x00- \\x7f=\"]++=*+(?=[ \\t\\n\\r]|$)",
                    Pattern.DOTALL);

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private final List<Field> fields = new ArrayList<>();
    private int at;

    private PlainFields(byte[] record) {
        text = new String(record, StandardCharsets.ISO_8859_1);
    }

    /** Null if the record is not of the format. */
    static PlainFields of(byte[] record, Structure.Format format) {
        PlainFields read = new PlainFields(record);
        try {
            switch (format) {
                case JSON -> read.json();
                case LOGFMT -> read.logfmt();
            }
            return read;
        } catch (MalformedException e) {
            return null;
        }
    }

    /** Names and values in order. */
    List<Token> tokens() {
        return tokens;
    }

    /** What JSON's one object or array holds, or the fields of a line. */
    List<Field> fields() {
        return fields;
    }

    /** What a token reads as. */
    FormsOracle.Origins decoded(Token token) {
        FormsOracle.Origins raw = new FormsOracle.Origins();
        for (int i = token.from(); i < token.to(); i++) {
            raw.add(new byte[] {(byte) text.charAt(i)}, i, i + 1);
        }
        return token.hasEscapes() ? FormsOracle.decoded(Form.JSON, raw) : raw;
    }

    /** Whether one of the paths leads to a field, or to one that it is in. */
    static boolean isIn(List<String> paths, List<String> names) {
        for (int length = 0; length <= names.size(); length++) {
            if (isOneOf(paths, names.subList(0, length))) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the paths leads to a field. */
    static boolean isOneOf(List<String> paths, List<String> names) {
        return paths.stream().anyMatch(path -> leads(bytesOf(path), names, false));
    }

    /** Whether one of the paths could lead to something in a field. */
    static boolean isOnTheWay(List<String> paths, List<String> names) {
        return paths.stream().anyMatch(path -> leads(bytesOf(path), names, true));
    }

    private static List<String> bytesOf(String path) {
        return Structure.names(path).stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .map(name -> new String(name, StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static boolean leads(List<String> path, List<String> names, boolean further) {
        if (names.isEmpty() && further) {
            return true;
        }
        if (path.isEmpty()) {
            return names.isEmpty();
        }
        List<String> rest = path.subList(1, path.size());
        if (path.get(0).equals("**")) {
            return leads(rest, names, further)
                    || !names.isEmpty() && leads(path, names.subList(1, names.size()), further);
        }
        return !names.isEmpty()
                && (path.get(0).equals("*") || path.get(0).equals(names.get(0)))
                && leads(rest, names.subList(1, names.size()), further);
    }

    private void json() throws MalformedException {
        take(SPACE);
        if (at == text.length() || "{[".indexOf(text.charAt(at)) < 0) {
            throw new MalformedException();
        }
        value(List.of(), 1, fields);
        take(SPACE);
        if (at < text.length()) {
            throw new MalformedException();
        }
    }

    /** Reads a value; whether it holds fields. */
    private boolean value(List<String> path, int level, List<Field> to) throws MalformedException {
        if (next('{')) {
            object(path, level, to);
            return true;
        }
        if (next('[')) {
            array(path, level, to);
            return true;
        }
        Matcher string = take(STRING);
        if (string != null) {
            tokens.add(quoted(Kind.QUOTED, string, 1, path));
            return false;
        }
        Matcher bare = required(BARE);
        tokens.add(new Token(Kind.BARE, bare.start(), bare.end(), false, path));
        return false;
    }

    private void object(List<String> path, int level, List<Field> to) throws MalformedException {
        take(SPACE);
        if (level > MAX_LEVELS) {
            throw new MalformedException();
        }
        if (next('}')) {
            return;
        }
        do {
            take(SPACE);
            int from = at;
            Matcher string = required(STRING);
            Token name = quoted(Kind.NAME, string, 1, List.of());
            tokens.add(name);
            List<String> names = new ArrayList<>(path);
            names.addAll(Arrays.asList(decoded(name).latin1().split("\\.", -1)));
            take(SPACE);
            require(':');
            take(SPACE);
            List<Field> within = new ArrayList<>();
            boolean holds = value(names, level + 1, within);
            to.add(new Field(from, at, names, holds, within));
            take(SPACE);
        } while (next(','));
        require('}');
    }

    private void array(List<String> path, int level, List<Field> to) throws MalformedException {
        take(SPACE);
        if (level > MAX_LEVELS) {
            throw new MalformedException();
        }
        if (next(']')) {
            return;
        }
        do {
            take(SPACE);
            int from = at;
            List<Field> within = new ArrayList<>();
            boolean holds = value(path, level + 1, within);
            to.add(new Field(from, at, path, holds, within));
            take(SPACE);
        } while (next(','));
        require(']');
    }

    private void logfmt() throws MalformedException {
        boolean hasPair = false;
        take(SPACE);
        while (at < text.length()) {
            Matcher one = required(PAIR_OR_WORD);
            String name = one.group().split("=", 2)[0];
            List<String> path = Arrays.asList(name.split("\\.", -1));
            if (one.start(1) < 0) {
                tokens.add(new Token(Kind.WORD, one.start(), one.end(), false, List.of()));
            } else {
                hasPair = true;
                tokens.add(new Token(Kind.NAME, one.start(1), one.end(1), false, List.of()));
                tokens.add(
                        one.start(2) >= 0
                                ? quoted(Kind.QUOTED, one, 2, path)
                                : new Token(Kind.BARE, one.start(3), one.end(3), false, path));
            }
            fields.add(new Field(one.start(), at, path, false, List.of()));
            take(SPACE);
        }
        if (!hasPair) {
            throw new MalformedException();
        }
    }

    private static Token quoted(Kind kind, Matcher in, int group, List<String> path) {
        boolean hasEscapes = in.group(group).indexOf('\\') >= 0;
        return new Token(kind, in.start(group), in.end(group), hasEscapes, path);
    }

    private boolean next(char c) {
        boolean is = at < text.length() && text.charAt(at) == c;
        at += is ? 1 : 0;
        return is;
    }

    private void require(char c) throws MalformedException {
        if (!next(c)) {
            throw new MalformedException();
        }
    }

    private Matcher required(Pattern pattern) throws MalformedException {
        Matcher taken = take(pattern);
        if (taken == null) {
            throw new MalformedException();
        }
        return taken;
    }

    private Matcher take(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        // Look-ahead has nothing to see behind the text.
        if (!matcher.lookingAt()) {
            return null;
        }
        at = matcher.end();
        return matcher;
    }
}
