package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.RuleSet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definition of forms, as plainly as can be: decodes all of a row by {@code java.util.regex} and the JDK's own
 * decoders, keeps for each byte where it came from, matches, and goes back.
 */
public final class FormsOracle implements Redactor {

    private static final Pattern PERCENT = Pattern.compile("%([0-9a-fA-F]{2})");
    private static final Pattern HTML =
            Pattern.compile("&(?:#([0-9]{1,8})|#[xX]([0-9a-fA-F]{1,8})|([a-zA-Z]{1,8}));");
    private static final Pattern JSON =
            Pattern.compile(
                    "\\\\u([dD][89abAB][0-9a-fA-F]{2})\\\\u([dD][c-fC-F][0-9a-fA-F]{2})"
                            + "|\\\\u([0-9a-fA-F]{4})|\\\\x([0-9a-fA-F]{2})|\\\\([\"\\\\/'bfnrt])|\\\\");
    private static final Pattern ANSI =
            Pattern.compile(
                    "\u001b(?:\\[[ -?]*[@-~]|\\](?:(?!\u001b\\\\)[^\u0007])*(?:\u0007|\u001b\\\\))",
                    Pattern.DOTALL);
    private static final Pattern BASE64 = Pattern.compile("([A-Za-z0-9+/_-]+)(=*)");
    private static final Pattern MARK = Pattern.compile("[\\p{M}\u1160-\u11ff\uff9e\uff9f]");
    private static final Pattern INVISIBLE =
            Pattern.compile(
                    "[\\x00-\\x08\\x0e-\\x1f\\x7f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5"
                            + "\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164"
                            + "\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\x{1bca0}-\\x{1bca3}"
                            + "\\x{1d173}-\\x{1d17a}\\x{e0000}-\\x{e0fff}]");
    private static final Pattern DIGIT = Pattern.compile("\\p{Nd}");
    private static final Pattern DASH = Pattern.compile("[\\p{Pd}\u2212]");
    private static final Pattern SPACE = Pattern.compile("\\p{Zs}");
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("Tab", "\t"),
                    Map.entry("NewLine", "\n"),
                    Map.entry("nbsp", "\u00a0"),
                    Map.entry("excl", "!"),
                    Map.entry("quot", "\""),
                    Map.entry("QUOT", "\""),
                    Map.entry("num", "#"),
                    Map.entry("dollar", "$"),
                    Map.entry("percnt", "%"),
                    Map.entry("amp", "&"),
                    Map.entry("AMP", "&"),
                    Map.entry("apos", "'"),
                    Map.entry("lpar", "("),
                    Map.entry("rpar", ")"),
                    Map.entry("ast", "*"),
                    Map.entry("plus", "+"),
                    Map.entry("comma", ","),
                    Map.entry("period", "."),
                    Map.entry("sol", "/"),
                    Map.entry("colon", ":"),
                    Map.entry("semi", ";"),
                    Map.entry("lt", "<"),
                    Map.entry("LT", "<"),
                    Map.entry("equals", "="),
                    Map.entry("gt", ">"),
                    Map.entry("GT", ">"),
                    Map.entry("quest", "?"),
                    Map.entry("commat", "@"),
                    Map.entry("lsqb", "["),
                    Map.entry("lbrack", "["),
                    Map.entry("bsol", "\\"),
                    Map.entry("rsqb", "]"),
                    Map.entry("rbrack", "]"),
                    Map.entry("Hat", "^"),
                    Map.entry("lowbar", "_"),
                    Map.entry("grave", "`"),
                    Map.entry("lcub", "{"),
                    Map.entry("lbrace", "{"),
                    Map.entry("verbar", "|"),
                    Map.entry("vert", "|"),
                    Map.entry("rcub", "}"),
                    Map.entry("rbrace", "}"));

    private final OracleRedactor oracle = new OracleRedactor();

    /** A text, and of each byte where what it is of starts and ends in the row. */
    static final class Origins {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<int[]> spans = new ArrayList<>();

        static Origins of(byte[] row) {
            Origins origins = new Origins();
            for (int i = 0; i < row.length; i++) {
                origins.add(new byte[] {row[i]}, i, i + 1);
            }
            return origins;
        }

        void add(byte[] text, int from, int to) {
            for (byte b : text) {
                bytes.write(b);
                spans.add(new int[] {from, to});
            }
        }

        String latin1() {
            return bytes.toString(StandardCharsets.ISO_8859_1);
        }

        /** The bytes from one index to another replaced by one text. */
        void addFrom(Origins source, int from, int to, byte[] text) {
            add(text, source.spans.get(from)[0], source.spans.get(to - 1)[1]);
        }
    }

    /** A place of a row, and the match that says what replaces it. */
    record Place(int from, int to, int rule, byte[] match, boolean keeps) {}

    @Override
    public Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) {
        byte[][] redacted = new byte[rows.length][];
        boolean[] changed = new boolean[rows.length];
        long[] matches = new long[rules.size()];
        for (int i = 0; i < rows.length; i++) {
            List<Place> places = united(places(rules, hashKey, Origins.of(rows[i])));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int copied = 0;
            long[] counts = new long[rules.size()];
            for (Place place : places) {
                out.write(rows[i], copied, place.from() - copied);
                out.writeBytes(replacement(rules, hashKey, place, ++counts[place.rule()]));
                copied = place.to();
                matches[place.rule()]++;
            }
            out.write(rows[i], copied, rows[i].length - copied);
            redacted[i] = out.toByteArray();
            changed[i] = !places.isEmpty();
        }
        return new Redacted(redacted, changed, matches);
    }

    /**
     * What stands in a place.
     *
     * @param number of the place among those of its rule in the row, from 1
     */
    static byte[] replacement(RuleSet rules, byte[] hashKey, Place place, long number) {
        Action action = rules.rule(place.rule()).action();
        if (action instanceof Action.Mask mask && !place.keeps()) {
            action = new Action.Mask(0, 0, mask.maskChar());
        }
        byte[] text = OracleRedactor.replacement(action, hashKey, place.match(), number);
        if (action instanceof Action.FormatMask && !place.keeps()) {
            for (int c = 0; c < text.length; c++) {
                text[c] = Character.isLetterOrDigit(text[c]) ? text[c] : (byte) '*';
            }
        }
        return text;
    }

    /** The places of all matches in a text and its views, those of the text first. */
    List<Place> places(RuleSet rules, byte[] hashKey, Origins text) {
        RuleSet plain = rules.withoutFormsAndStructure();
        List<Place> places = new ArrayList<>();
        List<Origins> texts = new ArrayList<>(List.of(text));
        texts.addAll(views(rules, text));
        for (Origins each : texts) {
            byte[] bytes = each.bytes.toByteArray();
            for (OracleRedactor.Place found : oracle.places(plain, hashKey, bytes)) {
                places.add(
                        new Place(
                                each.spans.get(found.from())[0],
                                each.spans.get(found.to() - 1)[1],
                                found.rule(),
                                Arrays.copyOfRange(bytes, found.from(), found.to()),
                                each == text));
            }
        }
        return places;
    }

    /** Two places that overlap are one, until there are none. */
    static List<Place> united(List<Place> all) {
        all.sort((a, b) -> Integer.compare(a.from(), b.from()));
        List<Place> places = new ArrayList<>();
        for (Place next : all) {
            Place last = places.isEmpty() ? null : places.get(places.size() - 1);
            if (last == null || next.from() >= last.to()) {
                places.add(next);
                continue;
            }
            Place winner = next.rule() < last.rule() ? next : last;
            int to = Math.max(last.to(), next.to());
            boolean keeps = winner.keeps() && winner.from() == last.from() && winner.to() == to;
            places.set(
                    places.size() - 1,
                    new Place(last.from(), to, winner.rule(), winner.match(), keeps));
        }
        return places;
    }

    /** The texts that a row reads as, other than itself. */
    static List<Origins> views(RuleSet rules, byte[] row) {
        return views(rules, Origins.of(row));
    }

    private static List<Origins> views(RuleSet rules, Origins text) {
        List<Origins> views = new ArrayList<>();
        Origins once = addRound(rules, text, views);
        addView(rules, Form.PLUS, once, views);
        Origins twice = once == text ? once : addRound(rules, once, views);
        if (twice != once) {
            addView(rules, Form.PLUS, twice, views);
        }
        return views;
    }

    private static Origins addRound(RuleSet rules, Origins text, List<Origins> views) {
        Origins last = text;
        for (Form form : Form.values()) {
            if (form != Form.PLUS) {
                Origins next = addView(rules, form, last, views);
                if (form == Form.UNICODE && next != last) {
                    addView(rules, Form.BASE64, last, views);
                }
                last = next;
            }
        }
        return last;
    }

    /** What a text reads as under a form, added to the views; the text itself if that is the same. */
    private static Origins addView(RuleSet rules, Form form, Origins text, List<Origins> views) {
        Origins next = rules.forms().contains(form) ? decoded(form, text) : text;
        boolean decodes =
                next.spans.size() != text.spans.size()
                        || !next.latin1().equals(text.latin1())
                        || !sameSpans(next, text);
        if (!decodes) {
            return text;
        }
        views.add(next);
        return next;
    }

    private static boolean sameSpans(Origins a, Origins b) {
        for (int i = 0; i < a.spans.size(); i++) {
            if (!Arrays.equals(a.spans.get(i), b.spans.get(i))) {
                return false;
            }
        }
        return true;
    }

    static Origins decoded(Form form, Origins text) {
        return switch (form) {
            case PERCENT ->
                    replaced(text, PERCENT, m -> latin1((char) Integer.parseInt(m.group(1), 16)));
            case HTML -> replaced(text, HTML, FormsOracle::html);
            case JSON -> replaced(text, JSON, FormsOracle::json);
            case ANSI -> replaced(text, ANSI, m -> m.group().length() > 256 ? null : new byte[0]);
            case BASE64 -> base64(text);
            case UNICODE -> unicode(text);
            case PLUS -> replaced(text, Pattern.compile("\\+"), m -> new byte[] {' '});
        };
    }

    private static Origins replaced(
            Origins text, Pattern pattern, Function<MatchResult, byte[]> by) {
        Origins out = new Origins();
        Matcher matcher = pattern.matcher(text.latin1());
        int copied = 0;
        while (matcher.find()) {
            byte[] replacement = by.apply(matcher);
            if (replacement != null) {
                copy(text, copied, matcher.start(), out);
                out.addFrom(text, matcher.start(), matcher.end(), replacement);
                copied = matcher.end();
            }
        }
        copy(text, copied, text.spans.size(), out);
        return out;
    }

    private static void copy(Origins from, int start, int end, Origins to) {
        byte[] bytes = from.bytes.toByteArray();
        for (int i = start; i < end; i++) {
            to.add(new byte[] {bytes[i]}, from.spans.get(i)[0], from.spans.get(i)[1]);
        }
    }

    private static byte[] latin1(char c) {
        return new byte[] {(byte) c};
    }

    private static byte[] utf8(long codePoint) {
        boolean none = codePoint > 0x10ffff || codePoint >= 0xd800 && codePoint <= 0xdfff;
        return Character.toString(none ? 0xfffd : (int) codePoint).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] html(MatchResult match) {
        if (match.group(3) != null) {
            String text = NAMES.get(match.group(3));
            return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        }
        long number =
                match.group(1) != null
                        ? Long.parseLong(match.group(1))
                        : Long.parseLong(match.group(2), 16);
        return utf8(number == 0 ? 0xfffd : number);
    }

    private static byte[] json(MatchResult match) {
        if (match.group(1) != null) {
            char high = (char) Integer.parseInt(match.group(1), 16);
            char low = (char) Integer.parseInt(match.group(2), 16);
            return utf8(Character.toCodePoint(high, low));
        }
        if (match.group(3) != null || match.group(4) != null) {
            String hex = match.group(3) == null ? match.group(4) : match.group(3);
            return utf8(Integer.parseInt(hex, 16));
        }
        if (match.group(5) == null) {
            return null;
        }
        return switch (match.group(5)) {
            case "b" -> latin1('\b');
            case "f" -> latin1('\f');
            case "n" -> latin1('\n');
            case "r" -> latin1('\r');
            case "t" -> latin1('\t');
            default -> latin1(match.group(5).charAt(0));
        };
    }

    private static Origins base64(Origins text) {
        Origins out = new Origins();
        Matcher matcher = BASE64.matcher(text.latin1());
        int copied = 0;
        while (matcher.find()) {
            String run = matcher.group(1);
            int most = (4 - run.length() % 4) % 4;
            int end = matcher.end(1) + Math.min(most, matcher.group(2).length());
            byte[] decoded = run.length() < 16 ? null : decoded(run);
            if (decoded != null) {
                copy(text, copied, matcher.start(), out);
                out.addFrom(text, matcher.start(), end, decoded);
                copied = end;
            }
        }
        copy(text, copied, text.spans.size(), out);
        return out;
    }

    private static byte[] decoded(String run) {
        if (run.length() % 4 == 1) {
            return null;
        }
        // The JDK refuses bits that are left over, which say nothing.
        String standard =
                run.replace('-', '+').replace('_', '/') + "A".repeat((4 - run.length() % 4) % 4);
        byte[] all = Base64.getDecoder().decode(standard);
        byte[] bytes = Arrays.copyOf(all, run.length() * 3 / 4);
        Utf8Row row = new Utf8Row(bytes);
        boolean isText =
                row.text().chars().noneMatch(c -> c < ' ' && "\t\n\r".indexOf(c) < 0 || c == 0x7f)
                        && Arrays.equals(row.text().getBytes(StandardCharsets.UTF_8), bytes);
        return isText ? bytes : null;
    }

    private static Origins unicode(Origins text) {
        Origins out = new Origins();
        byte[] bytes = text.bytes.toByteArray();
        Utf8Row row = new Utf8Row(bytes);
        String chars = row.text();
        int at = 0;
        while (at < chars.length()) {
            int from = row.byteOffset(at);
            int first = chars.codePointAt(at);
            int end = at + Character.charCount(first);
            if (isUnknown(row, chars, at)) {
                // An unknown byte stays, and has no marks.
                end = withMarks(row, chars, end);
                copy(text, from, row.byteOffset(end), out);
                at = end;
                continue;
            }
            end = withMarks(row, chars, end);
            String character = chars.substring(at, end);
            StringBuilder folded = new StringBuilder();
            Normalizer.normalize(character, Normalizer.Form.NFKC)
                    .codePoints()
                    .forEach(c -> fold(c, folded));
            if (folded.toString().equals(character)) {
                copy(text, from, row.byteOffset(end), out);
            } else {
                out.addFrom(
                        text,
                        from,
                        row.byteOffset(end),
                        folded.toString().getBytes(StandardCharsets.UTF_8));
            }
            at = end;
        }
        return out;
    }

    private static boolean isUnknown(Utf8Row row, String chars, int at) {
        int bytes = at + 1 > chars.length() ? 0 : row.byteOffset(at + 1) - row.byteOffset(at);
        return chars.charAt(at) == Utf8Row.UNKNOWN && bytes == 1;
    }

    private static int withMarks(Utf8Row row, String chars, int from) {
        int end = from;
        for (int marks = 0; marks < 30 && end < chars.length(); marks++) {
            String next = chars.substring(end, chars.offsetByCodePoints(end, 1));
            if (!MARK.matcher(next).matches()) {
                break;
            }
            end += next.length();
        }
        return end;
    }

    private static void fold(int c, StringBuilder to) {
        String one = Character.toString(c);
        if (INVISIBLE.matcher(one).matches()) {
            return;
        }
        if (DIGIT.matcher(one).matches()) {
            to.append(Character.getNumericValue(c));
        } else if (DASH.matcher(one).matches()) {
            to.append('-');
        } else if (SPACE.matcher(one).matches()) {
            to.append(' ');
        } else {
            to.appendCodePoint(c);
        }
    }
}
