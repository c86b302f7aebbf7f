package io.flinkgpu.rules;

import io.flinkgpu.api.Form;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;
import io.flinkgpu.text.record.RecordRedactor;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lines as logs have them, with secrets in forms that hide them from a plain search: after the built-in rules with all
 * forms nothing is left of what must not be. All values are made up, and assembled here, so that no file holds one.
 *
 * <p>Covers: DefaultRules.
 */
class DisguisedSecretsTest {

    private static final String MAIL = "jane.doe" + "@" + "example.com";
    private static final String CARD = "4111" + "1111" + "1111" + "1111";
    private static final String PASS = "hunter2" + "Secret";
    private static final String HEX = "0123456789abcdef".repeat(2);
    private static final String ALNUM = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f";

    private static final String ENCODED = base64("password=hunter2" + "secret99");

    private static CompiledRules rules;
    private static RecordRedactor redactor;

    @BeforeAll
    static void compile() {
        rules = RuleCompiler.compile(DefaultRules.get().withForms(Form.values()));
        redactor = new RecordRedactor(rules, new byte[0]);
    }

    @AfterAll
    static void forget() {
        rules = null;
        redactor = null;
    }

    /**
     * A line and what nothing may be left of.
     *
     * @param line in Latin-1 where it has a byte that is no UTF-8, else in UTF-8
     */
    record Line(String line, String secret, boolean latin1) {
        @Override
        public String toString() {
            return line.replaceAll("[^ -~]", "?");
        }
    }

    private static Line line(String line, String secret) {
        return new Line(line, secret, false);
    }

    /** A secret that ends a line, or that something follows. */
    static Stream<Line> keyWords() {
        List<Line> lines = new ArrayList<>();
        for (String word :
                List.of(
                        "password=",
                        "passwd=",
                        "pass=",
                        "pwd=",
                        "secret=",
                        "api_key=",
                        "apikey: ",
                        "client_secret=",
                        "access_token=",
                        "auth_token: ",
                        "refresh_token=",
                        "private_key=",
                        "encryption_key=",
                        "session_token=",
                        "passphrase=",
                        "PASSWORD: ",
                        "db.password=",
                        "spring.datasource.password = ",
                        "AWS_SECRET_ACCESS_KEY=",
                        "credentials=")) {
            lines.add(line("start " + word + PASS + " end", PASS));
        }
        for (String between : List.of(";", "&", ",", "'", "!", "#", "$", ")")) {
            lines.add(line("conn password=hunt" + between + "er2secret", "er2secret"));
        }
        lines.add(line("xdob=1980-01-02 ok", "1980-01-02"));
        lines.add(line("token=" + ALNUM, ALNUM));
        lines.add(line("pin=4711 ok", "4711"));
        lines.add(line("otp=123456", "123456"));
        lines.add(line("cvv=123", "123"));
        return lines.stream();
    }

    static Stream<Line> shapes() {
        return Stream.of(
                line("mysql -u root --password " + PASS, PASS),
                line("curl --token " + ALNUM, ALNUM),
                line("<password>" + PASS + "</password>", PASS),
                line("<ns:secret a=\"b\">" + PASS + "</ns:secret>", PASS),
                line("{\"password\":\"" + PASS + "\"}", PASS),
                line("{\"password\":\"hunt,er;2 &secret\"}", "secret"),
                line("{\"token\": \"" + PASS + "\"}", PASS),
                line("{\\\"password\\\":\\\"" + PASS + "\\\"}", PASS),
                line("('password', '" + PASS + "')", PASS),
                line("CREATE USER x IDENTIFIED BY '" + PASS + "'", PASS),
                line("Cookie: sid=" + ALNUM + "; theme=dark", ALNUM),
                line("Set-Cookie: id=" + ALNUM + "; Path=/", ALNUM),
                line("Authorization: Bearer " + ALNUM, ALNUM),
                line("reqAuthorization: Bearer " + ALNUM, ALNUM),
                line("Authorization: Digest username=\"u\", response=\"" + HEX + "\"", HEX),
                line("Authorization: AWS4-HMAC-SHA256 Credential=A, Signature=" + HEX, HEX),
                line("GET /?X-Amz-Signature=" + HEX + HEX, HEX + HEX),
                line("key AI" + "za" + ALNUM.substring(0, 35), ALNUM.substring(0, 35)),
                line("stripe sk_" + "live_" + ALNUM.substring(0, 24), ALNUM.substring(0, 24)),
                line("glp" + "at-" + ALNUM.substring(0, 20), ALNUM.substring(0, 20)),
                line("npm" + "_" + ALNUM.substring(0, 36), ALNUM.substring(0, 36)),
                line("sk-" + "proj-" + ALNUM, ALNUM),
                line("AccountKey" + "=" + ALNUM + ALNUM + "==", ALNUM),
                line("gh" + "p_" + ALNUM.substring(0, 36), ALNUM.substring(0, 36)),
                line("xox" + "b-123456789012-" + ALNUM.substring(0, 24), ALNUM.substring(0, 24)),
                line("AK" + "IAABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP"),
                line("postgres://app:" + PASS + "@db:5432/x", PASS),
                line("ssn 123 45 6789", "123 45 6789"),
                line("DB_PASS=" + PASS, PASS),
                line("SMTP_PASS: " + PASS, PASS),
                line("GITHUB_TOKEN=" + ALNUM, ALNUM),
                line("X-Vault-Token: s." + ALNUM, ALNUM),
                line("PRIVATE-TOKEN: " + ALNUM, ALNUM),
                line("Authorization: " + ALNUM, ALNUM),
                line("Authorization: SSWS 00" + ALNUM, ALNUM),
                line("{\"cookie\":[\"sid=" + ALNUM + "; a=b\"]}", ALNUM),
                line("\"HTTP_COOKIE\"=>\"sid=" + ALNUM + "\"", ALNUM),
                line("{\"x-api-key\":[\"" + PASS + "\"]}", PASS),
                line("password          = " + PASS, PASS),
                line("password := \"" + PASS + "\"", PASS),
                line("[password] => " + PASS, PASS),
                line("SET password = 'it''s " + PASS + "'", PASS),
                line("ALTER ROLE a WITH PASSWORD '" + PASS + "'", PASS),
                line("CREATE USER a IDENTIFIED BY " + PASS, PASS),
                line("SET PASSWORD FOR 'u'@'%' = '" + PASS + "'", PASS),
                line("\"{\"\"password\"\":\"\"" + PASS + "\"\"}\"", PASS),
                line("{\"name\":\"DB_PASSWORD\",\"value\":\"" + PASS + "\"}", PASS),
                line("- name: DB_PASSWORD\n  value: " + PASS, PASS),
                line("{\"auths\":{\"r.io\":{\"auth\":\"dXNlcjo0711" + ALNUM + "\"}}}", ALNUM),
                line("<password><![CDATA[" + PASS + "]]></password>", PASS),
                line("gpg --passphrase " + PASS, PASS),
                line("tool --client-secret " + PASS, PASS),
                line("jdbc:oracle:thin:app/" + PASS + "@//db:1521/x", PASS),
                line("GET /maps?key=" + ALNUM + "&z=1", ALNUM),
                line("the password is " + PASS + "1", PASS),
                line("{\"pin\":4711,\"cvv\":737}", "4711"),
                line("$2b$" + "12$" + (ALNUM + ALNUM).substring(0, 53), ALNUM),
                line("bob:$6$" + "salt$" + ALNUM + ALNUM + ":19000", ALNUM),
                line("%B" + CARD + "^DOE/JANE^2512101?", CARD),
                line(";" + CARD + "=25121010000?", "25121010000"),
                line("_jane_doe" + "@" + "example.com", "jane_doe"),
                line("phone=4155550123", "4155550123"),
                line("born on 29/02/1980", "29/02/1980"),
                line("xai" + "-" + ALNUM, ALNUM),
                line("gsk" + "_" + ALNUM, ALNUM),
                line("glp" + "at-" + ALNUM + ".01.0a1b2c3d4", "0a1b2c3d4"),
                line("eyJhbGciOiJSU0EtT0FFUCJ9." + ALNUM + ".aXY.dGV4dA." + ALNUM, ALNUM),
                line("> -----BEGIN " + "PRIVATE KEY-----\n> " + ALNUM, ALNUM),
                line("-----BEGIN " + "PRIVATE KEY-----\nAA\u00e9" + ALNUM, ALNUM));
    }

    static Stream<Line> forms() {
        String json = "{\"password\":\"" + PASS + "\"}";
        return Stream.of(
                line("GET /u?mail=jane.doe%40example.com", "jane.doe%40"),
                line("GET /u?mail=jane%2Edoe%40example%2Ecom", "jane%2Edoe"),
                line("body=" + percent(json), PASS),
                line("body=" + percent("password=" + PASS), PASS),
                line("q=password%3D" + PASS, PASS),
                line("card=4111+1111+1111+1111", "1111+1111+1111"),
                line("card=4111%201111%201111%201111", "1111%201111"),
                line("{\"m\":\"jane.doe\\u0040example.com\"}", "jane.doe"),
                line("{\"m\":\"\\u006aane.doe\\u0040example.com\"}", "doe"),
                line("msg \\x6aane.doe\\x40example.com", "doe"),
                line("{\"m\":\"{\\\"password\\\": \\\"" + PASS + "\\\"}\"}", PASS),
                line("mail jane.doe&#64;example.com", "jane.doe"),
                line("mail jane.doe&#x40;example.com", "jane.doe"),
                line("mail jane.doe&commat;example.com", "jane.doe"),
                line("{&quot;password&quot;:&quot;" + PASS + "&quot;}", PASS),
                line("blob " + base64("password=" + PASS), base64("password=" + PASS)),
                line("blob " + base64(json), base64(json)),
                line("blob " + base64("mail " + MAIL), base64("mail " + MAIL)),
                line("pass\u200bword=" + PASS, PASS),
                line("pass\u00adword=" + PASS, PASS),
                line("password\u2060=" + PASS, PASS),
                line("jane.doe\u200b@example.com", "jane.doe"),
                line(wide("password=") + PASS, PASS),
                line(wide(MAIL), wide("jane")),
                line("card " + wide(CARD), wide(CARD)),
                line("card 4111\u00a01111\u00a01111\u00a01111", "4111\u00a01111\u00a01111"),
                line("card 4111\u20131111\u20131111\u20131111", "4111\u20131111\u20131111"),
                line("card " + arabic(CARD), arabic(CARD)),
                line("\u001b[31mpass\u001b[0mword=" + PASS, PASS),
                line("pass\u0000word=" + PASS, PASS),
                line("\u001b[1mjane.doe\u001b[0m@example.com", "jane.doe"),
                line("GET /u?mail=jane.doe%2540example.com", "jane.doe"),
                line("next=%2Fcb%3Fu%3Dpassword%253D" + PASS, PASS),
                line("x=password&#37;3D" + PASS, PASS),
                line("m=&amp;quot;password&amp;quot;:&amp;quot;" + PASS + "&amp;quot;", PASS),
                line("{\"m\":\"{\\\"n\\\":\\\"jane.doe\\\\u0040example.com\\\"}\"}", "jane.doe"),
                line("blob " + base64(percent(json)), base64(percent(json))),
                line("blob " + base64("{\"m\":\"jane.doe\\u0040example.com\"}"), "eyJtIjoi"),
                line("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.\u200b" + ALNUM, ALNUM),
                line("%E5%AF%86 mail=jane.doe%40example.com", "jane.doe"),
                line("user\0" + ENCODED + "\0bob", ENCODED),
                line("x%00" + ENCODED + "%00bob", ENCODED),
                line("x%2500" + ENCODED + "%2500bob", ENCODED),
                line("id\u2014" + ENCODED + "\u2014end", ENCODED),
                line("t=1\u2013" + ENCODED, ENCODED),
                line(ENCODED + "\u200babc", ENCODED),
                line("\u00ad" + ENCODED + "\u00adzz", ENCODED),
                line("cmd=mysql+--password+hunter2%2522secret99", "secret99"),
                line("q=--token+abcd%2527efghijk", "efghijk"),
                line("%7B%27pwd%27%3A+%27a%20b%5C%5C%27c" + PASS + "%27%7D", PASS),
                new Line("password=geh\u00e9im123secret", "im123secret", true),
                new Line("{\"password\":\"geh\u00e9im123secret\"}", "im123secret", true));
    }

    private static String percent(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
            out.append(plain ? Character.toString(b) : String.format("%%%02X", b));
        }
        return out.toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String wide(String ascii) {
        StringBuilder out = new StringBuilder();
        ascii.chars().forEach(c -> out.append((char) (c - 0x21 + 0xff01)));
        return out.toString();
    }

    private static String arabic(String digits) {
        StringBuilder out = new StringBuilder();
        digits.chars().forEach(c -> out.append((char) (c - '0' + 0x660)));
        return out.toString();
    }

    @ParameterizedTest
    @MethodSource({"keyWords", "shapes", "forms"})
    void nothingIsLeft(Line line) {
        byte[] bytes =
                line.line()
                        .getBytes(
                                line.latin1()
                                        ? StandardCharsets.ISO_8859_1
                                        : StandardCharsets.UTF_8);
        int length = redactor.redact(bytes, bytes.length, new long[rules.ruleSet().size()]);
        String redacted =
                new String(
                        redactor.buffer(),
                        0,
                        length,
                        line.latin1() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        assertThat(redacted).doesNotContain(line.secret());
    }

    @Test
    void thereAreNinetyNineAndNotOneFewer() {
        assertThat(Stream.of(keyWords(), shapes(), forms()).mapToLong(Stream::count).sum())
                .isGreaterThanOrEqualTo(95);
    }

    @Test
    void theFormsAreNeeded() {
        RuleSet plain = DefaultRules.get();
        RecordRedactor without = new RecordRedactor(rules.plain(), new byte[0]);
        byte[] bytes = "GET /u?mail=jane.doe%40example.com".getBytes(StandardCharsets.UTF_8);
        without.redact(bytes, bytes.length, new long[plain.size()]);
        assertThat(without.changed()).isFalse();
    }
}
