package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Makes sets of many rules, as packs have them, most of which look for a text, and rows with such texts. */
public final class ManyRules {

    private static final String[] SYLLABLES = {"ab", "to", "ken", "sec", "ret", "key", "x-", "pi"};

    private final Random random;

    public ManyRules(Random random) {
        this.random = random;
    }

    /** So many rules, of which some can never match. */
    public RuleSet rules(int count) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String word = word();
            Rule rule =
                    switch (random.nextInt(8)) {
                        case 0 ->
                                rule("r" + i, "(?i)" + word + "[ _-]?[:=] {0,3}([a-z0-9]{4,12})\\b")
                                        .withGroup("1")
                                        .withValidator(Validator.entropy(2));
                        case 1 -> rule("r" + i, "\\b" + word + "-[0-9]{2,9}\\b");
                        case 2 ->
                                rule("r" + i, "[a-z]{0,4}" + word + "\\d+")
                                        .withAllowList(AllowList.ofPrefixes("ab", "x"));
                        case 3 -> rule("r" + i, "(?:" + word + "|" + word() + "!)=\\w{2,}");
                        case 4 -> rule("r" + i, "\\w+" + word + "[é=]");
                        case 5 -> rule("r" + i, "(?i)\\b[0-9a-f]{" + (5 + i % 40) + "}\\b");
                        case 6 -> rule("r" + i, "(?<=[:=])" + word + "$");
                        default ->
                                Rule.of(
                                        "r" + i,
                                        word + "\\s[^a-k]{1,4}" + word(),
                                        i % 2 == 0 ? Action.hash("[", 16, "]") : Action.drop());
                    };
            rules.add(rule);
        }
        return RuleSet.of(rules).allowUnmatchable();
    }

    static Rule rule(String name, String regex) {
        return Rule.of(name, regex, Action.label("<" + name + ">"));
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
        }
        return word.toString();
    }

    /** A row with words that the rules look for. */
    public byte[] row() {
        int parts = random.nextInt(12);
        String[] joints = {"=", ": ", "-", " ", "é", "\u00ff", "_=", "!=", "\n"};
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < parts; i++) {
            String word = word();
            row.append(random.nextInt(4) == 0 ? word.toUpperCase(Locale.ROOT) : word);
            row.append(joints[random.nextInt(joints.length)]);
            if (random.nextBoolean()) {
                row.append(Long.toString(random.nextLong() >>> random.nextInt(60), 16));
                row.append(random.nextBoolean() ? " " : "");
            }
        }
        return row.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
