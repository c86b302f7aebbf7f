package io.flinkgpu.text.record;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Structure;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Records that are JSON or logfmt, written out.
 *
 * <p>Covers: Fields, RuleSet, Structure, LogfmtScanner, Output, RecordRedactor, RecordSearch, RecordTexts, TextWalk.
 */
class FieldsRedactionTest {

    private static final Rule MAIL = Rule.of("mail", "\\w+@\\w+[.]\\w+", Action.label("[M\"]"));
    private static final Rule PASSWORD =
            Rule.of("password", "password\"?[:=]\\s?\"?[^\"\\s]+", Action.label("[P]"));
    private static final Rule CARD = Rule.of("card", "\\b\\d{16}\\b", Action.maskKeepLast(4));
    private static final Rule NAME = Rule.of("name", "(?s).+", Action.hash("<", 16, ">"));
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static String redact(RuleSet rules, String record) {
        String result = redact(rules, RuleCompiler.compile(rules), record);
        assertThat(redact(rules, RuleCompiler.compileInParts(rules), record)).isEqualTo(result);
        return result;
    }

    private static String redact(RuleSet rules, CompiledRules compiled, String record) {
        RecordRedactor redactor = new RecordRedactor(compiled, KEY);
        byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
        int length = redactor.redact(bytes, bytes.length, new long[rules.size()]);
        String result = new String(redactor.buffer(), 0, length, StandardCharsets.UTF_8);
        assertThat(redactor.changed()).isEqualTo(!result.equals(record));
        return result;
    }

    private static String json(String record) {
        return redact(RuleSet.of(MAIL, PASSWORD, CARD).withStructure(Structure.json()), record);
    }

    @Test
    void labelsStandWithinStringsWithEscapes() {
        assertThat(json("{\"a\" : \"to x@y.zz now\", \"b\":[1, \"q@r.st\"]}"))
                .isEqualTo("{\"a\" : \"to [M\\\"] now\", \"b\":[1, \"[M\\\"]\"]}");
    }

    @Test
    void ofANameAndItsValueTheValueIsReplaced() {
        assertThat(json("{\"password\": \"hunter2\",\"n\":null}"))
                .isEqualTo("{\"password\": \"[P]\",\"n\":null}");
        assertThat(json("{\"password\":12345}")).isEqualTo("{\"password\":\"[P]\"}");
    }

    @Test
    void namesAreReplacedWhereTheyAreFoundThemselves() {
        assertThat(json("{\"x@y.zz\": 1}")).isEqualTo("{\"[M\\\"]\": 1}");
    }

    @Test
    void numbersBecomeStrings() {
        assertThat(json("{\"n\": 4111111111111111, \"m\": 7}"))
                .isEqualTo("{\"n\": \"************1111\", \"m\": 7}");
    }

    @Test
    void replacementsAreCountedThroughAllFieldsOfARecord() {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("mail", "\\w+@\\w+", Action.counter("[M", "]")),
                                Rule.of("pair", "x\",\"x", Action.counter("[P", "]")))
                        .withStructure(Structure.json());
        String record = "{\"a\":\"b@c\",\"d\":[\"e@f b@c\",\"x\",\"x\"]}";
        String expected = "{\"a\":\"[M1]\",\"d\":[\"[M2] [M3]\",\"[P1]\",\"[P2]\"]}";
        assertThat(redact(rules, record)).isEqualTo(expected);
        assertThat(redact(rules, record)).isEqualTo(expected);
    }

    @Test
    void escapesAreReadAndNeverCut() {
        assertThat(json("{\"a\":\"\\u0078\\u0040y.zz\\n\"}")).isEqualTo("{\"a\":\"[M\\\"]\\n\"}");
        assertThat(json("{\"a\":\"\\\"x@y.zz\\\"\\\\\"}"))
                .isEqualTo("{\"a\":\"\\\"[M\\\"]\\\"\\\\\"}");
    }

    @Test
    void maskedTextsKeepNothingThatWasEscaped() {
        RuleSet rules =
                RuleSet.of(Rule.of("all", "k=ab\\\\?", Action.maskKeepLast(1)))
                        .withStructure(Structure.json());
        assertThat(redact(rules, "{\"a\":\"k=ab\\\"\"}")).isEqualTo("{\"a\":\"*****\"}");
        assertThat(redact(rules, "{\"a\":\"k=ab\"}")).isEqualTo("{\"a\":\"***b\"}");
    }

    @Test
    void masksKeepWhatWasNotDecoded() {
        assertThat(json("{\"a\":\"\\n4111111111111111 \\t\"}"))
                .isEqualTo("{\"a\":\"\\n************1111 \\t\"}");
        RuleSet bound = RuleSet.of(CARD).withStructure(Structure.json().bind("card", "c"));
        assertThat(redact(bound, "{\"c\":\"4111111111111111\",\"d\":4111111111111111}"))
                .isEqualTo("{\"c\":\"************1111\",\"d\":4111111111111111}");
        assertThat(redact(bound, "{\"c\":\"411111111111111\\u0031\"}"))
                .isEqualTo("{\"c\":\"****************\"}");
    }

    @Test
    void whatIsEmptyStays() {
        RuleSet rules =
                RuleSet.of(Rule.of("any", "[^\\s]{3,}", Action.label("-")))
                        .withStructure(Structure.json());
        assertThat(redact(rules, "{\"\":{\"\":\"\",\"\":\"x\"}}"))
                .isEqualTo("{\"\":{\"\":\"\",\"\":\"-\"}}");
    }

    @Test
    void halfAnEscapeOfLogfmtIsNone() {
        RuleSet rules =
                RuleSet.of(Rule.of("digit", "3", Action.label("-")))
                        .withStructure(Structure.logfmt());
        assertThat(redact(rules, "a=\"\\u123\\\"x\"")).isEqualTo("a=\"\\u12-\\\"x\"");
        assertThat(redact(rules, "a=\"\\ubb\\3\"")).isEqualTo("a=\"\\ubb-\"");
        assertThat(redact(rules, "a=\"\\x37\"")).isEqualTo("a=\"-\"");
    }

    @Test
    void aNameWithDotsIsInTheFieldsThatItNames() {
        RuleSet drop = RuleSet.of(MAIL).withStructure(Structure.json().drop("user", "h.*"));
        assertThat(redact(drop, "{\"user.id\":1,\"users\":2,\"h.a.b\":3}"))
                .isEqualTo("{\"users\":2}");
        RuleSet keep = RuleSet.of(MAIL).withStructure(Structure.logfmt().keepOnly("user"));
        assertThat(redact(keep, "user.id=1 users=2 id=3")).isEqualTo("user.id=1");
    }

    @Test
    void whatIsNotJsonIsPlainText() {
        for (String bad :
                new String[] {"{\"a\":", "x@y.zz {}", "{\"a\":1,}", "{} {}", "[01]", "{\"a\" 1}"}) {
            String record = bad + " password=abcdef";
            assertThat(json(record)).as(record).contains("[P]").doesNotContain("abcdef");
        }
    }

    @Test
    void rulesApplyToTheFieldsThatTheyAreBoundTo() {
        RuleSet rules =
                RuleSet.of(MAIL, NAME)
                        .withStructure(Structure.json().bind("name", "$.user.name", "x.**"));
        String hash = redact(rules, "{\"user\":{\"name\":\"Jane\"}}");
        assertThat(hash).matches("\\{\"user\":\\{\"name\":\"<[0-9a-f]{16}>\"}}");
        // Written with an escape the value is the same.
        assertThat(redact(rules, "{\"user\":{\"name\":\"J\\u0061ne\"}}")).isEqualTo(hash);
        String other = "{\"name\":\"Jane\",\"user\":{\"names\":\"Jane\"}}";
        assertThat(redact(rules, other)).isEqualTo(other);
        assertThat(redact(rules, "{\"x\":{\"a\":[\"q\",{\"b\":2}],\"c\":{}}}"))
                .matches("\\{\"x\":\\{\"a\":\\[\"<.{16}>\",\\{\"b\":\"<.{16}>\"}],\"c\":\\{}}}");
        assertThat(redact(rules, "{\"user.name\":\"Jane\"}")).contains("<");
        // Of no format, all rules apply to all of it.
        assertThat(redact(rules, "Jane")).startsWith("<");
    }

    @Test
    void fieldsAreLeftOut() {
        RuleSet rules = RuleSet.of(MAIL).withStructure(Structure.json().drop("$.a", "h.*", "k.b"));
        assertThat(redact(rules, "{\"a\":1,\"b\":2}")).isEqualTo("{\"b\":2}");
        assertThat(redact(rules, "{\"b\":2, \"a\":\"x@y.zz\"}")).isEqualTo("{\"b\":2}");
        assertThat(redact(rules, "{ \"a\" : {\"b\":[1]} }")).isEqualTo("{  }");
        assertThat(redact(rules, "{\"h\":{\"x\":1,\"y\":2},\"z\":3}"))
                .isEqualTo("{\"h\":{},\"z\":3}");
        assertThat(redact(rules, "{\"k\":[{\"b\":1,\"c\":2},{\"c\":3,\"b\":4},5]}"))
                .isEqualTo("{\"k\":[{\"c\":2},{\"c\":3},5]}");
        assertThat(redact(rules, "{\"\\u0061\":1,\"b\":2}")).isEqualTo("{\"b\":2}");
        assertThat(redact(rules, "{\"a\":1")).isEqualTo(RecordRedactor.WITHHELD);
    }

    @Test
    void onlySomeFieldsStay() {
        RuleSet rules =
                RuleSet.of(MAIL)
                        .withStructure(
                                Structure.json().keepOnly("t", "u.id", "list.x").drop("u.id.z"));
        assertThat(
                        redact(
                                rules,
                                "{\"t\":\"x@y.zz\",\"u\":{\"id\":{\"y\":1,\"z\":2},\"n\":3},\"v\":{\"id\":4}}"))
                .isEqualTo("{\"t\":\"[M\\\"]\",\"u\":{\"id\":{\"y\":1}}}");
        assertThat(redact(rules, "{\"list\":[1,{\"x\":2,\"y\":3},[\"s\"]],\"u\":5}"))
                .isEqualTo("{\"list\":[{\"x\":2},[]]}");
    }

    @Test
    void logfmt() {
        RuleSet rules =
                RuleSet.of(MAIL, PASSWORD, CARD, NAME)
                        .withStructure(
                                Structure.logfmt().bind("name", "user").drop("secret", "h.*"));
        assertThat(redact(rules, "at=x@y.zz msg=\"to x@y.zz \\\"now\\\"\" n=4111111111111111"))
                .isEqualTo("at=[M_] msg=\"to [M\\\"] \\\"now\\\"\" n=************1111");
        assertThat(redact(rules, "password=hunter2 b=1")).isEqualTo("password=[P] b=1");
        assertThat(redact(rules, "secret=1 b=1 h.x=2 h.y=\"3 4\"")).isEqualTo("b=1");
        assertThat(redact(rules, "user=Jane b=1")).matches("user=<.{16}> b=1");
        assertThat(redact(rules, "user=\"Ja\\u006ee\" b=1"))
                .isEqualTo(redact(rules, "user=\"Jane\" b=1"));
        assertThat(redact(rules, "only words")).isEqualTo(RecordRedactor.WITHHELD);
    }

    @Test
    void wordsOfLogfmtAreReplacedLikeValues() {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("auth", "(?:Bearer|Basic) [\\w=]+", Action.label("[A]")),
                                Rule.of("card", "\\d{4}(?: \\d{4}){3}", Action.maskKeepLast(4)),
                                Rule.of("blob", "[A-Z]{5,}={0,2}", Action.label("<b=>")))
                        .withStructure(Structure.logfmt());
        assertThat(redact(rules, "a=1 authorization=Bearer abc123"))
                .isEqualTo("a=1 authorization=[A] [A]");
        assertThat(redact(rules, "card=4111 1111 1111 1111 b=1"))
                .isEqualTo("card=**** **** **** **** b=1");
        assertThat(redact(rules, "a=1 Authorization: Basic dXNlcjpw=="))
                .isEqualTo("a=1 Authorization: [A] [A]");
        assertThat(redact(rules, "a=1 x Bearer abc=")).isEqualTo("a=1 x [A] [A]=");
        assertThat(redact(rules, "a=1 ABCDEF==")).isEqualTo("a=1 <b_>");
        assertThat(redact(rules, "a=1 ABCDEF")).isEqualTo("a=1 <b_>");
    }

    /** The value that a rule is after stands where the next name does. */
    @Test
    void namesAfterAnEmptyValueAreReplaced() {
        RuleSet rules =
                RuleSet.of(Rule.of("P", "=\\s*\\S{8,}", Action.label("#")))
                        .withStructure(Structure.logfmt());
        assertThat(redact(rules, "password= hunter2=x")).doesNotContain("hunter2");
    }

    @Test
    void namesWithEscapesAreReadToo() {
        assertThat(json("{\"x\\u0040y.zz\":1}")).isEqualTo("{\"[M\\\"]\":1}");
    }

    @Test
    void anEmptyRecordStaysEmpty() {
        RuleSet rules = RuleSet.of(MAIL).withStructure(Structure.json().drop("x"));
        assertThat(redact(rules, "")).isEmpty();
        assertThat(redact(rules, "y")).isEqualTo(RecordRedactor.WITHHELD);
    }

    @Test
    void wordsOfAContextMayBeInTheRestOfTheRecord() {
        RuleSet rules =
                RuleSet.of(
                                Rule.of("key", "K\\d\\tx", Action.label("[K]"))
                                        .withContext(Context.inRecord("aws")))
                        .withStructure(Structure.json());
        assertThat(redact(rules, "{\"aws\":1,\"a\":\"K7\\tx\"}"))
                .isEqualTo("{\"aws\":1,\"a\":\"[K]\"}");
        RuleSet viewed =
                RuleSet.of(
                                Rule.of("key", "K\\d@", Action.label("[K]"))
                                        .withContext(Context.inRecord("aws@")))
                        .withForms(Form.PERCENT);
        assertThat(redact(viewed, "aws%40 K7%40")).isEqualTo("aws%40 [K]");
        assertThat(redact(viewed, "azure%40 K7%40")).isEqualTo("azure%40 K7%40");
    }

    @Test
    void formsApplyToValuesToo() {
        RuleSet rules =
                RuleSet.of(MAIL, NAME)
                        .withForms(Form.PERCENT)
                        .withStructure(Structure.json().bind("name", "n"));
        assertThat(redact(rules, "{\"a\":\"x%40y.zz\",\"b\":\"\\u0078%40y.zz\"}"))
                .isEqualTo("{\"a\":\"[M\\\"]\",\"b\":\"[M\\\"]\"}");
    }

    @Test
    void theDefaultRulesLeaveJsonWhole() {
        RuleSet rules = DefaultRules.get().withStructure(Structure.json());
        assertThat(
                        redact(
                                rules,
                                "{\"msg\":\"login jane.doe@example.com from 10.1.2.3\",\"password\":\"a;b&c d\","
                                        + "\"token\":\"abcdef0123456789\"}"))
                .isEqualTo(
                        "{\"msg\":\"login [EMAIL] from [IP]\",\"password\":\"[SECRET]\","
                                + "\"token\":\"[SECRET]\"}");
    }

    @Test
    void wrongStructuresAreRefused() {
        assertThatThrownBy(() -> RuleSet.of(MAIL).withStructure(Structure.json().bind("nam", "a")))
                .hasMessageContaining("rule='nam'");
        assertThatThrownBy(() -> Structure.json().drop("a..b")).hasMessageContaining("path='a..b'");
        assertThatThrownBy(() -> Structure.json().bind("x")).hasMessageContaining("rule='x'");
        assertThatThrownBy(
                        () ->
                                RuleSet.of(Rule.of("d", "x", Action.drop()))
                                        .withStructure(Structure.json()))
                .hasMessageContaining("rule='d'");
        assertThatThrownBy(() -> RuleSet.of(Rule.of("d", "x", Action.drop())).withForms(Form.JSON))
                .hasMessage(
                        "a rule set with forms has no rule that drops its matches: rule='d'; give it a label");
        assertThat(Arrays.stream(Form.values()).map(Form::key).map(Form::ofKey))
                .containsExactly(Form.values());
    }
}
