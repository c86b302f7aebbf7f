package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The definition of redaction, by {@code java.util.regex} and plain code; shares nothing with what it
 * judges.
 *
 * <p>At each code point, from left to right, the rules are tried in order; the first whose match there
 * is neither refused by its validator nor kept by its allow list is replaced, and the scan goes on after
 * it, else at the next code point. What a rule finds within a text that it kept, it keeps as well.
 *
 * <p>Where a replacement is empty, the result is scanned again, and a match there is replaced only if it
 * touches such a place: until none does, or until the scan after which a row is dropped whole.
 *
 * <p>The alternation {@code (?:r1)|(?:r2)|...} matches at a place if and only if one of its rules does,
 * and then as the first of them that does. So each rule is searched alone: named groups, flags and back
 * references of rules cannot meet each other. {@link AlternationFinder} is the alternation of the rules
 * that are left, which the fuzz test compares with this.
 *
 * <p>Rules search in the row as text ({@link Utf8Row}), by matcher regions with transparent, non-anchoring
 * bounds: look-around sees the whole row, and {@code ^ $ \A \z \Z} mean the ends of the whole row. Not thread-safe.
 */
public final class OracleRedactor implements Redactor {

    private static final int SCANS_OF_JOINED_TEXT = 8;

    /** Finds matches in a text, from left to right. */
    interface Finder {

        /** Finds the match at a char of the first rule, from one on, that has any; no call goes back. */
        boolean find(int at, int firstRule);

        int rule();

        int end();

        /** Where the rule's group starts; -1 if it took no part. */
        int groupStart(String group);

        int groupEnd(String group);
    }

    /** Makes finders for one rule set. */
    interface FinderFactory {
        Finder in(CharSequence text);
    }

    private static final int KEPT = 64;

    private final Function<RuleSet, FinderFactory> finders;

    /** Of rule sets asked for before, as fuzz tests ask row by row. */
    private final Map<RuleSet, FinderFactory> made = new HashMap<>();

    public OracleRedactor() {
        this(MatchFinder::factory);
    }

    OracleRedactor(Function<RuleSet, FinderFactory> finders) {
        this.finders = finders;
    }

    @Override
    public Redacted redact(RuleSet rules, byte[] hashKey, byte[][] rows) {
        FinderFactory factory = finders(rules);
        byte[][] redacted = new byte[rows.length][];
        boolean[] changed = new boolean[rows.length];
        long[] matchesPerRule = new long[rules.size()];
        for (int i = 0; i < rows.length; i++) {
            long[] matches = new long[rules.size()];
            redacted[i] = redactRow(rules, hashKey, factory, rows[i], matches);
            changed[i] = Arrays.stream(matches).sum() > 0;
            Arrays.setAll(matchesPerRule, rule -> matchesPerRule[rule] + matches[rule]);
        }
        return new Redacted(redacted, changed, matchesPerRule);
    }

    private FinderFactory finders(RuleSet rules) {
        if (made.size() == KEPT) {
            made.clear();
        }
        return made.computeIfAbsent(rules, finders);
    }

    /** A place of a text that is replaced: a match, or the group of it. */
    record Place(int rule, int from, int to) {}

    /** The places of a text, in order. */
    List<Place> places(RuleSet rules, byte[] hashKey, byte[] text) {
        Scan scan = new Scan(text, null);
        scan.run(rules, hashKey, finders(rules), new long[rules.size()]);
        return scan.replaced.stream()
                .map(it -> new Place(it.rule(), it.from(), it.replacedTo()))
                .toList();
    }

    /** Compiles a regex with {@code \b} as everywhere here; invalid ones throw. */
    static Pattern compile(String regex) {
        String java = inJava(regex);
        Pattern.compile(java);
        return Pattern.compile(AsciiBounds.rewrite(java));
    }

    static String nameInJava(String group) {
        return group.replace('_', 'x');
    }

    /** Group names as Java has them: their text does not matter, only that they differ. */
    static String inJava(String regex) {
        return regex.replace("(?P<", "(?<").replaceAll("\\(\\?<([A-Za-z]+)_", "(?<$1x");
    }

    private static byte[] redactRow(
            RuleSet rules, byte[] hashKey, FinderFactory finders, byte[] bytes, long[] matches) {
        Scan scan = new Scan(bytes, null);
        scan.run(rules, hashKey, finders, matches);
        for (int again = 1; !scan.joinsAfter.isEmpty(); again++) {
            Scan next = new Scan(scan.out.toByteArray(), scan.joinsAfter);
            if (!next.run(rules, hashKey, finders, matches)) {
                break;
            }
            if (again == SCANS_OF_JOINED_TEXT && !next.joinsAfter.isEmpty()) {
                return new byte[0];
            }
            scan = next;
        }
        return scan.out.toByteArray();
    }

    /** One scan of a row, of all of it, or of what touches the places where something was left out. */
    private static final class Scan {
        private final byte[] bytes;
        private final Set<Integer> joins;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final Set<Integer> joinsAfter = new TreeSet<>();
        private final List<Replaced> replaced = new ArrayList<>();
        private int copied;

        Scan(byte[] bytes, Set<Integer> joins) {
            this.bytes = bytes;
            this.joins = joins;
        }

        boolean run(RuleSet rules, byte[] hashKey, FinderFactory finders, long[] matches) {
            Utf8Row row = new Utf8Row(bytes);
            CharSequence text = new BudgetedText(row.text());
            int[] keptTo = new int[rules.size()];
            Finder finder = finders.in(text);
            int at = 0;
            while (at < text.length()) {
                int start = row.byteOffset(at);
                int next = Character.offsetByCodePoints(text, at, 1);
                int tried = 0;
                while (tried < rules.size() && finder.find(at, tried)) {
                    Rule rule = rules.rule(finder.rule());
                    if (finder.end() == at) {
                        throw new IllegalArgumentException("a rule matches nothing: rule=" + rule);
                    }
                    int end = row.byteOffset(finder.end());
                    int from = start;
                    int to = end;
                    // Java may leave a group where an alternative that it gave up had it.
                    if (!rule.group().isEmpty()
                            && finder.groupStart(rule.group()) < finder.groupEnd(rule.group())
                            && finder.groupEnd(rule.group()) <= finder.end()) {
                        from = row.byteOffset(finder.groupStart(rule.group()));
                        to = row.byteOffset(finder.groupEnd(rule.group()));
                    }
                    byte[] match = Arrays.copyOfRange(bytes, from, to);
                    tried = finder.rule() + 1;
                    if (!OracleValidators.accepts(rule.validator(), match)
                            || !OracleContext.holds(rule.context(), row, bytes, start, end)) {
                        continue;
                    }
                    if (allows(rule.allowList(), match)
                            || OracleContext.keeps(rule.allowList(), match, bytes, start, end)) {
                        keptTo[finder.rule()] = Math.max(keptTo[finder.rule()], end);
                    }
                    if (end > keptTo[finder.rule()] && touches(start, end)) {
                        matches[finder.rule()]++;
                        long number = matches[finder.rule()];
                        replace(from, to, replacement(rule.action(), hashKey, match, number));
                        replaced.add(new Replaced(finder.rule(), start, end, from, to, out.size()));
                        next = finder.end();
                        break;
                    }
                }
                at = next;
            }
            finish();
            return !replaced.isEmpty();
        }

        private boolean touches(int start, int end) {
            return joins == null || joins.stream().anyMatch(at -> isNear(start, end, at));
        }

        private void replace(int start, int end, byte[] replacement) {
            out.write(bytes, copied, start - copied);
            out.writeBytes(replacement);
            copied = end;
            if (replacement.length == 0) {
                joinsAfter.add(out.size());
            }
        }

        /** Writes the rest, and notes where the places are now that no match touches. */
        private void finish() {
            out.write(bytes, copied, bytes.length - copied);
            for (int join : joins == null ? Set.<Integer>of() : joins) {
                int at = join;
                boolean touched = false;
                for (Replaced match : replaced) {
                    touched |= isNear(match.start(), match.end(), join);
                    at = match.end() < join ? match.outEnd() + join - match.replacedTo() : at;
                }
                if (!touched) {
                    joinsAfter.add(at);
                }
            }
        }
    }

    /** Whether a match touches a place, but for the line terminator that may follow {@code $}. */
    private static boolean isNear(int start, int end, int at) {
        return at >= start && at <= end + 3;
    }

    /** A match of which something is replaced, up to where, and where the replacement ends. */
    private record Replaced(int rule, int start, int end, int from, int replacedTo, int outEnd) {}

    private static boolean allows(AllowList list, byte[] match) {
        // Byte by byte: an unknown byte is not the character U+FFFD of an entry.
        String text = new String(match, StandardCharsets.ISO_8859_1);
        return list.values().stream().map(OracleRedactor::bytesAsChars).anyMatch(text::equals)
                || list.prefixes().stream()
                        .map(OracleRedactor::bytesAsChars)
                        .anyMatch(text::startsWith);
    }

    private static String bytesAsChars(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /**
     * @param number of the match among those of its rule in the row, from 1
     */
    static byte[] replacement(Action action, byte[] hashKey, byte[] match, long number) {
        if (action instanceof Action.Counter counter) {
            return (counter.prefix() + number + counter.suffix()).getBytes(StandardCharsets.UTF_8);
        }
        if (action instanceof Action.Label label) {
            return label.text().getBytes(StandardCharsets.UTF_8);
        }
        if (action instanceof Action.Mask mask) {
            return masked(mask, match);
        }
        if (action instanceof Action.FormatMask) {
            return ofTheForm(hashKey, match);
        }
        if (action instanceof Action.Hash hash) {
            String hex = HexFormat.of().formatHex(hmacSha256(hashKey, match));
            String text = hash.prefix() + hex.substring(0, hash.hexDigits()) + hash.suffix();
            return text.getBytes(StandardCharsets.UTF_8);
        }
        return new byte[0];
    }

    private static byte[] masked(Action.Mask mask, byte[] match) {
        Utf8Row row = new Utf8Row(match);
        String text = row.text();
        int codePoints = text.codePointCount(0, text.length());
        boolean whole = codePoints <= mask.keepFirst() + mask.keepLast();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < codePoints; i++) {
            boolean kept = i < mask.keepFirst() || i >= codePoints - mask.keepLast();
            if (whole || !kept) {
                out.write(mask.maskChar());
            } else {
                int from = row.byteOffset(text.offsetByCodePoints(0, i));
                out.write(match, from, row.byteOffset(text.offsetByCodePoints(0, i + 1)) - from);
            }
        }
        return out.toByteArray();
    }

    private static byte[] ofTheForm(byte[] hashKey, byte[] match) {
        String text = new Utf8Row(match).text();
        String hex = HexFormat.of().formatHex(hmacSha256(hashKey, match));
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int c : text.codePoints().toArray()) {
            if (c < 0x80 && !Character.isLetterOrDigit(c)) {
                out.appendCodePoint(c);
                continue;
            }
            if (at == 64) {
                byte[] last = hex.getBytes(StandardCharsets.US_ASCII);
                hex = HexFormat.of().formatHex(hmacSha256(hashKey, last));
                at = 0;
            }
            int number = Integer.parseInt(hex.substring(at, at + 4), 16);
            at += 4;
            boolean digit = c >= '0' && c <= '9';
            boolean capital = c >= 'A' && c <= 'Z';
            out.append((char) ((digit ? '0' : capital ? 'A' : 'a') + number % (digit ? 10 : 26)));
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hmacSha256(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
