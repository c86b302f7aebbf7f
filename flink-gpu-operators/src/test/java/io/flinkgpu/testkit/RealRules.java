package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.Validator;

import java.util.List;
import java.util.Random;

/** Rules as users write them, with text that their validators accept and text that they do not. */
final class RealRules {

    private record Real(String name, String regex, Validator validator, String... samples) {}

    private static final List<Real> ALL =
            List.of(
                    new Real(
                            "card",
                            "\\b\\d(?:[ -]?\\d){11,18}\\b",
                            Validator.LUHN,
                            "4111 1111 1111 1111",
                            "378282246310005",
                            "4111-1111-1111-1112",
                            "1234567890123456789",
                            "1 4111111111111111"),
                    new Real(
                            "iban",
                            "\\b[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\\b",
                            Validator.IBAN,
                            "GB82 WEST 1234 5698 7654 32",
                            "DE89370400440532013000",
                            "DE88370400440532013000",
                            "NO9386011117947",
                            "FR14 2004 1010 0505 0001 3M02 606"),
                    new Real(
                            "ipv6",
                            "(?i)[0-9a-f:]*::?[0-9a-f:]*(?:\\.\\d{1,3}){0,3}",
                            Validator.IPV6,
                            "::1",
                            "2001:db8::8:800:200c:417a",
                            "1:2:3:4:5:6:7:8:9",
                            "::ffff:192.0.2.1",
                            "1::2::3",
                            ":::1"),
                    new Real(
                            "ssn",
                            "\\b\\d{3}-?\\d{2}-?\\d{4}",
                            Validator.US_SSN,
                            "123-45-6709",
                            "000-12-3456",
                            "666-12-3456",
                            "912-12-3456",
                            "123-00-3456",
                            "123450000",
                            "000123456789"),
                    new Real(
                            "secret",
                            "[A-Za-z0-9+/]{8,}=*",
                            Validator.entropy(3),
                            "aaaaaaaabbbb",
                            "Zm9vYmFyYmF6",
                            "abcdefgh",
                            "aabbccddeeffgghh"),
                    new Real(
                            "email",
                            "[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,}",
                            Validator.NONE,
                            "joe@example.com",
                            "a.b+c@x.y.zz",
                            "@@a.b",
                            "a@b.c"),
                    new Real(
                            "ipv4",
                            "\\b(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\b",
                            Validator.NONE,
                            "10.0.0.1",
                            "255.255.255.256",
                            "1.2.3.4.5",
                            "é1.2.3.4"),
                    new Real(
                            "line_end",
                            "(?i)(?:password|pwd)\\s*[=:]\\s*\\S.*?$",
                            Validator.NONE,
                            "Password = a b c\r\n",
                            "pwd:x\n",
                            "pwd: é\u2028"));

    private RealRules() {}

    static RuleGen.Generated pick(Random random, int index) {
        Real real = ALL.get(random.nextInt(ALL.size()));
        Action action =
                random.nextBoolean() ? Action.maskKeepLast(4) : Action.label("[" + real.name + "]");
        Rule rule = Rule.of(real.name + index, real.regex, action).withValidator(real.validator);
        if (random.nextInt(3) == 0) {
            rule = rule.withAllowList(AllowList.ofPrefixes(real.samples[0].substring(0, 3)));
        }
        return new RuleGen.Generated(rule, new RegexNode.Whole(real.regex, List.of(real.samples)));
    }
}
