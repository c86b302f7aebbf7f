package io.flinkgpu.backend;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.testkit.BackendRedactor;
import io.flinkgpu.testkit.Fuzz;
import io.flinkgpu.testkit.LastCompiled;
import io.flinkgpu.testkit.Redactor;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What rules do on every backend.
 *
 * <p>Covers: RedactPlan.
 */
abstract class RedactedTextContract extends BackendTester {

    private static final long FUZZ_SEED = Long.getLong("fuzz.seed", 20_260_101) + (1L << 40);

    @Test
    void rowsDoNotSeeTheirNeighbours() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("edge", "\\bab\\b", Action.label("1")),
                        Rule.of("inner", "\\Bcd\\B", Action.label("2")),
                        Rule.of("lines", "(?s)x.y", Action.label("3")),
                        Rule.of("end", "e$", Action.label("4")),
                        Rule.of("split", "é", Action.label("5")));
        check(rules, ascii("x"), ascii("y"), ascii("ab"), ascii("ab"), ascii("cd"), ascii("cd"));
        check(rules, ascii("e"), ascii("\n"), ascii("e\r"), ascii("\n"), ascii("x\ny"));
        check(rules, new byte[] {(byte) 0xc3}, new byte[] {(byte) 0xa9}, utf8("é"));
    }

    @Test
    void lineTerminatorsInRows() throws Exception {
        RuleSet rules = RuleSet.of(Rule.of("r", "b.*?$", Action.label("-")));
        List<byte[]> rows = new ArrayList<>();
        for (String end : new String[] {"", "\n", "\r", "\r\n", "\n\r", "\u0085", "\u2028"}) {
            rows.add(utf8("ab" + end));
            rows.add(utf8("abc" + end + end));
            rows.add(utf8(end + "b"));
        }
        check(rules, rows.toArray(byte[][]::new));
    }

    @Test
    void laterRulesWhereAMatchIsRefusedOrKept() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("card", "\\b\\d{12,19}\\b", Action.maskKeepLast(4))
                                .withValidator(Validator.LUHN),
                        Rule.of("sid", "S-1-[-0-9]+", Action.label("<sid>"))
                                .withAllowList(AllowList.ofPrefixes("S-1-5-32-")),
                        Rule.of("ssn", "\\b[-0-9]+\\b", Action.label("<ssn>"))
                                .withValidator(Validator.US_SSN),
                        Rule.of("number", "\\b[0-9]{2,}", Action.label("<number>"))
                                .withAllowList(AllowList.ofPrefixes("5", "32")),
                        Rule.of("mail", "\\w+@\\w+", Action.hash("<", 16, ">")));
        check(
                rules,
                ascii("4111111111111111 4111111111111112 411111111111111"),
                ascii("S-1-5-32-544 S-1-5-32-4111111111111111 S-1-5-21-1 S-1-5-32-123-45-6789"),
                ascii("554@host 4111111111111112@host 55 123-45-6789 000-45-6789"),
                ascii("S-1-5-32-".repeat(40) + "S-1-5-32-4111111111111112 5555555@x"),
                ascii("S-1-5-32-1" + "-1".repeat(600) + "-123-45-6789 4111111111111112"));
    }

    @Test
    void whatARuleFindsWithinATextThatItKept() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("digits", "[0-9.]{2,}x?", Action.label("#"))
                                .withAllowList(AllowList.ofPrefixes("127.", "1.1")),
                        Rule.of("seven", "7[.]1?", Action.label("<7>")));
        check(
                rules,
                ascii("127.0.0.1 10.0.0.1 1.1.1 28.0"),
                ascii("127.127.127.5x 7.1"),
                ascii("1.10.1"),
                ascii("0.0.1"));
    }

    @Test
    void bytesThatAreNoUtf8AreUnknownCharacters() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("any", "(?s)<.{1,3}>", Action.maskKeepLast(1)),
                        Rule.of("long", "=\\S+", Action.hash("<", 16, ">")),
                        Rule.of("kept", "\\(.+?\\)", Action.maskKeepFirst(2))
                                .withAllowList(AllowList.ofPrefixes("(\ufffd", "(\u00e9")),
                        Rule.of("not", "[^<>x]y", Action.drop()),
                        Rule.of("edge", "\\bz", Action.label("é")));
        int[][] bad = {
            {0x80},
            {0xc2},
            {0xe2, 0x82},
            {0xf0, 0x9f, 0x98},
            {0xc0, 0x80},
            {0xe0, 0x80, 0x80},
            {0xed, 0xa0, 0x80},
            {0xf4, 0x90, 0x80, 0x80},
            {0xf5},
            {0xff},
            {0xe2, 0x82, 'y'}
        };
        List<byte[]> rows = new ArrayList<>();
        for (int[] bytes : bad) {
            ByteArrayOutputStream row = new ByteArrayOutputStream();
            row.writeBytes(utf8("<é😀>"));
            for (String around : new String[] {"<", ">y", "yz", "éy (", ") (é", ") a=b"}) {
                row.writeBytes(utf8(around));
                for (int b : bytes) {
                    row.write(b);
                }
            }
            rows.add(row.toByteArray());
        }
        check(rules, rows.toArray(byte[][]::new));
    }

    @Test
    void everyAction() throws Exception {
        List<Action> actions =
                List.of(
                        Action.label("[é😀]"),
                        Action.label(""),
                        Action.label("$0\\"),
                        Action.maskKeepLast(0),
                        Action.maskKeepLast(4),
                        Action.maskKeepFirst(2),
                        new Action.Mask(1, 2, '#'),
                        new Action.Mask(1000, 0, '#'),
                        Action.hash("[k1:", 16, "]"),
                        Action.hash("", 64, ""),
                        Action.hash("é", 33, "é"),
                        Action.maskFormat(),
                        Action.counter("[é_", "]"),
                        Action.counter("", ""),
                        Action.drop());
        for (Action action : actions) {
            RuleSet rules = RuleSet.of(Rule.of("r", "<[^<>]*>", action), WORD);
            byte[] longMatch = utf8("<" + "x".repeat(3000) + ">");
            byte[][] rows = {
                utf8("<>a<b>"),
                utf8("<é😀中>"),
                utf8("a<bcd>e secret <f>"),
                utf8("<aB3-é😀.z>"),
                longMatch,
                utf8("g")
            };
            check(rules, rows);
        }
    }

    @Test
    void hashesOfEveryMatchLength() throws Exception {
        byte[][] rows = new byte[atMost(200)][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = ascii("<" + "m".repeat(200 * i / rows.length + 1) + ">");
        }
        check(RuleSet.of(Rule.of("r", "m+", Action.hash("", 64, ""))), rows);
    }

    @Test
    void everyValidator() throws Exception {
        Rule luhn = Rule.of("luhn", "\\d(?:[ -]?\\d){11,18}", Action.maskKeepLast(4));
        Rule iban = Rule.of("iban", "[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){11,30}", Action.label("[I]"));
        Rule ipv6 = Rule.of("ipv6", "(?i)[0-9a-f:]*:[0-9a-f:.]*", Action.label("[6]"));
        Rule ssn = Rule.of("ssn", "\\d{3}-\\d{2}-\\d{4}", Action.label("[S]"));
        Rule entropy = Rule.of("entropy", "[a-z]{8,}", Action.label("[H]"));
        RuleSet rules =
                RuleSet.of(
                        luhn.withValidator(Validator.LUHN),
                        iban.withValidator(Validator.IBAN),
                        ipv6.withValidator(Validator.IPV6),
                        ssn.withValidator(Validator.US_SSN),
                        entropy.withValidator(Validator.entropy(3)));
        check(
                rules,
                ascii(
                        "4111 1111 1111 1111 and 4111-1111-1111-1112, 14111111111111111, 123456789012"),
                ascii(
                        "DE89 3704 0044 0532 0130 00 x DE88370400440532013000 GB82WEST12345698765432"),
                ascii("::1 1::2::3 2001:db8::8:800:200c:417a ::ffff:192.0.2.1 1:2:3 12345::"),
                ascii("123-45-6709 000-45-6789 666-45-6789 900-45-6789 123-00-6789 123-45-0000"),
                ascii("abcdefgh aaaaaaaaaa abababababab xabcdefghx aabbccddeeffgghh"),
                ascii("111123-45-6789"));
    }

    @Test
    void allowListsKeepAndGoOnBehind() throws Exception {
        AllowList list = new AllowList(List.of("ab", "é"), List.of("xx", "aaa"));
        Rule rule = Rule.of("r", "a+b?|x+|é+", Action.label("-")).withAllowList(list);
        RuleSet rules = RuleSet.of(rule, Rule.of("b", "b|xb", Action.label("+")));
        check(
                rules,
                utf8("ab abb aab aaaab é éé x xx xxxb xb"),
                utf8("ab"),
                utf8("aab"),
                utf8("xx"));
    }

    @Test
    void everyRowMatches() throws Exception {
        byte[][] rows = new byte[atMost(3000)][];
        Arrays.setAll(rows, i -> ascii("secret" + i));
        check(USUAL, rows);
    }

    @Test
    void everyByteIsAMatch() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("a", "a", Action.label("<a>")),
                        Rule.of("b", "b", Action.drop()),
                        Rule.of("c", "c", Action.maskKeepLast(0)));
        byte[] abc = ascii("abc".repeat(Math.min(5000, MOST_ROWS << 5)));
        check(rules, ascii("a"), abc, ascii("bbb"), abc, ascii("ccc"), ascii("abcabc"));
    }

    /** The secrets of these rows are in none of them, but in what is left when the drops are gone. */
    @Test
    void whatDropsBringTogetherIsRedacted() throws Exception {
        RuleSet rules =
                RuleSet.of(
                        Rule.of("mark", "#\\d#|\\(\\)", Action.drop()),
                        Rule.of("secret", "(?:password|<X)=\\S+", Action.label("<X>")),
                        Rule.of("empty", "~", Action.label("")),
                        Rule.of("card", "\\b\\d{16}\\b", Action.maskKeepLast(4))
                                .withValidator(Validator.LUHN),
                        Rule.of("start", "^key\\w+|\\w+end$", Action.hash("<", 16, ">")),
                        Rule.of("kept", "[a-z]+!", Action.label("<K>"))
                                .withAllowList(new AllowList(List.of("ab!"), List.of())));
        check(
                rules,
                ascii("pass#1#word=hunter2"),
                ascii("p#1#a#2#ss~word=hunter2 and more~"),
                ascii("pass##1#2#word=hunter2"),
                ascii("pass#~#~#1#1#1#word=hunter2"),
                ascii("41111111~11111111 41111111~11111112"),
                ascii("#1#key1 key2 the~end#1#"),
                ascii("a#1#b! ab!#2#c! abc!"),
                ascii("password=x~=y <X#1#=z"),
                ascii("~~~"),
                ascii("#1#"));
        for (int depth = 1; depth < 12; depth++) {
            String nested = "(".repeat(depth) + ")".repeat(depth);
            check(rules, ascii("a" + nested + "b"), ascii("pass" + nested + "word=c " + nested));
        }
    }

    @Test
    void outputMuchLargerAndMuchSmaller() throws Exception {
        RuleSet larger = RuleSet.of(Rule.of("a", "a", Action.label("0123456789".repeat(30))));
        byte[][] rows = new byte[atMost(200)][];
        Arrays.setAll(rows, i -> ascii("a".repeat(i) + "b"));
        check(larger, rows);
        check(RuleSet.of(Rule.of("a", "a+", Action.drop())), rows);
        check(RuleSet.of(Rule.of("a", "[ab]+", Action.drop())), rows);
    }

    @Test
    void matchesAtTheVeryStartAndEndOfABatch() throws Exception {
        check(USUAL, ascii("secret"));
        check(USUAL, ascii("1234"), ascii("-"), ascii("5678"));
        check(RuleSet.of(Rule.of("r", "^a|a$", Action.drop())), ascii("aaa"), ascii("a"));
    }

    @Test
    void randomRulesAndRows() throws Exception {
        LastCompiled compiler = new LastCompiled();
        Redactor lines = new BackendRedactor(backend, compiler, 1, 1000);
        Redactor rows = new BackendRedactor(backend, compiler, 0, 33);
        Redactor inParts = new BackendRedactor(backend, LastCompiled.inParts(), 1, 100);
        long pairs = Long.getLong("fuzz.pairs", 40_000) / 4;
        Fuzz fuzz = new Fuzz(FUZZ_SEED, lines, rows, inParts).run(pairs);

        // Of a few sets the share says little.
        double least = pairs < 2_000 ? 0.05 : 0.3;
        assertThat(fuzz.changedShare()).as(fuzz.toString()).isBetween(least, 0.95);
    }
}
