package io.flinkgpu.testkit;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Context;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.testkit.RegexNode.Alt;
import io.flinkgpu.testkit.RegexNode.Atom;
import io.flinkgpu.testkit.RegexNode.Group;
import io.flinkgpu.testkit.RegexNode.Mark;
import io.flinkgpu.testkit.RegexNode.Quoted;
import io.flinkgpu.testkit.RegexNode.Repeat;
import io.flinkgpu.testkit.RegexNode.Seq;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Makes random rule sets over the supported syntax. What rule sets are refused for is left out where
 * that is easy: no rule can match the empty string, nothing that can is repeated more than once, and
 * {@code ^} and {@code $} stand at the ends of alternatives.
 */
final class RuleGen {

    /** A rule and the tree its regex was written from. */
    record Generated(Rule rule, RegexNode tree) {}

    private static final int MAX_DEPTH = 3;
    private static final int MAX_SIZE = 120;
    private static final Pattern END = Pattern.compile("\\$|\\\\[zZ]");

    private final Random random;
    private final ClassGen classes;
    private final int[] alphabet;
    private int groupNames;

    RuleGen(Random random) {
        this.random = random;
        this.classes = new ClassGen(random);
        this.alphabet = new int[2 + random.nextInt(4)];
        for (int i = 0; i < alphabet.length; i++) {
            alphabet[i] = Alphabet.random(random);
        }
    }

    /** Code points that the rules are made of. */
    int[] alphabet() {
        return alphabet.clone();
    }

    List<Generated> rules() {
        int count = 1 + random.nextInt(random.nextInt(8) == 0 ? 12 : 4);
        List<Generated> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rules.add(random.nextInt(10) == 0 ? RealRules.pick(random, i) : rule(i));
        }
        return rules;
    }

    static RuleSet ruleSet(List<Generated> rules) {
        return RuleSet.of(rules.stream().map(Generated::rule).toList());
    }

    private Generated rule(int index) {
        boolean hasFirst = random.nextInt(12) == 0;
        RegexNode tree;
        do {
            tree = hasFirst ? oneOfSeveralGroups() : topLevel();
        } while (tree.size() > MAX_SIZE);
        Rule rule = Rule.of("r" + index, tree.regex(), action(index));
        if (random.nextInt(5) == 0) {
            rule = rule.withValidator(Validator.entropy((1 + random.nextInt(6)) / 2.0));
        }
        int groups = OracleRedactor.compile(rule.regex()).matcher("").groupCount();
        if (groups > 0 && random.nextInt(2) == 0) {
            rule = rule.withGroup(hasFirst ? "*" : Integer.toString(1 + random.nextInt(groups)));
        }
        if (random.nextInt(4) == 0) {
            rule = rule.withAllowList(allowList(tree));
        }
        if (random.nextInt(6) == 0) {
            rule = rule.withContext(context());
        }
        return new Generated(rule, tree);
    }

    /** Of its groups, none within another, at most one takes part in a match. */
    private RegexNode oneOfSeveralGroups() {
        List<RegexNode> branches = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            RegexNode piece = new Seq(List.of(repeated(MAX_DEPTH, false, false), atom()));
            boolean isIn = random.nextInt(4) > 0;
            branches.add(new Seq(List.of(atom(), isIn ? new Group("(", piece) : piece)));
        }
        branches.add(new Seq(List.of(new Group("(", atom()), atom())));
        RegexNode all = new Group("(?:", new Alt(branches));
        return new Seq(List.of(all, repeated(MAX_DEPTH, false, false)));
    }

    private Context context() {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            words.add(word());
        }
        int before = random.nextInt(6);
        return random.nextInt(3) == 0
                ? new Context(words, Context.RECORD, Context.RECORD)
                : new Context(words, before, before == 0 ? 3 : random.nextInt(6));
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            word.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return random.nextBoolean() ? word.toString() : word.toString().toUpperCase(Locale.ROOT);
    }

    private RegexNode topLevel() {
        RegexNode tree = alternatives(0, true, true);
        if (tree.nullable()) {
            // Behind an atom ^ could never match.
            boolean anchored = tree.regex().contains("^") || tree.regex().contains("\\A");
            RegexNode rest = anchored ? atom() : new Group("(?:", tree);
            tree = new Seq(List.of(atom(), rest));
        }
        if (random.nextInt(8) == 0) {
            String flags = pick("(?i)", "(?s)", "(?is)", "(?d)", "(?x)");
            // Under (?x) a blank is nothing, so what it repeats or stands for would be another
            // rule.
            if (!flags.equals("(?x)") || !tree.regex().matches("(?s).*[ #].*")) {
                tree = new Seq(List.of(new Mark(flags), new Group("(?:", tree)));
            }
        }
        return tree;
    }

    Action action(int index) {
        return switch (random.nextInt(12)) {
            case 0 -> Action.drop();
            case 1 ->
                    new Action.Mask(random.nextInt(3), random.nextInt(4), pick("*", "#").charAt(0));
            case 2 -> Action.hash("[k1:", 16 + random.nextInt(49), pick("]", ""));
            case 3 -> Action.label(pick("", "é", "😀", "$1\\2", "a", "\n"));
            case 4 -> Action.maskFormat();
            case 5 -> Action.counter(pick("<" + index + "_", ""), pick("é>", ""));
            default -> Action.label("<" + index + ">");
        };
    }

    private AllowList allowList(RegexNode tree) {
        List<String> values = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            StringBuilder sample = new StringBuilder();
            tree.sample(sample, random);
            if (!sample.isEmpty() && random.nextBoolean()) {
                values.add(sample.toString());
            } else if (!sample.isEmpty()) {
                int codePoints = sample.codePointCount(0, sample.length());
                int kept = sample.offsetByCodePoints(0, 1 + random.nextInt(codePoints));
                prefixes.add(sample.substring(0, kept));
            }
        }
        List<String> stopWords = random.nextInt(3) == 0 ? List.of(word()) : List.of();
        List<AllowList.Pattern> patterns = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            AllowList.Target[] targets = AllowList.Target.values();
            String regex = pick("^", "", "\\b") + atom().regex() + pick("$", "", atom().regex());
            patterns.add(new AllowList.Pattern(regex, targets[random.nextInt(targets.length)]));
        }
        return new AllowList(values, prefixes, stopWords, patterns);
    }

    /** Alternatives; {@code head} and {@code tail} say if nothing of the rule is before or behind. */
    private RegexNode alternatives(int depth, boolean head, boolean tail) {
        int count = random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1;
        if (count == 1) {
            return sequence(depth, head, tail);
        }
        List<RegexNode> branches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean empty = depth > 0 && random.nextInt(8) == 0;
            branches.add(empty ? RegexNode.EMPTY : sequence(depth, head, tail));
        }
        return new Alt(branches);
    }

    private RegexNode sequence(int depth, boolean head, boolean tail) {
        List<RegexNode> parts = new ArrayList<>();
        if (head && random.nextInt(12) == 0) {
            parts.add(new Mark(pick("^", "\\A", "(?dm:^)")));
        }
        if (depth > 0 && random.nextInt(25) == 0) {
            parts.add(new Mark(pick("(?i)", "(?-i)", "(?s)", "(?-s)", "(?i-s)", "(?d)", "(?-d)")));
        }
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            if (random.nextInt(6) == 0) {
                parts.add(new Mark(between()));
            }
            boolean first = head && parts.isEmpty();
            parts.add(repeated(depth, first, tail && i == count - 1));
        }
        boolean ended = tail && END.matcher(new Seq(parts).regex()).find();
        if (!ended && random.nextInt(8) == 0) {
            parts.add(new Mark(pick("\\b", "\\B")));
        }
        if (tail && random.nextInt(7) == 0) {
            parts.add(new Mark(pick("$", "$", "\\Z", "\\z", "(?m:$)", "(?=[b-x]|$)")));
        }
        return new Seq(parts);
    }

    /** An assertion that may stand anywhere. */
    private String between() {
        String around = pick("(?=", "(?!", "(?<=", "(?<!");
        String edge = around.contains("<") ? "|^" : "|\\z";
        int codePoint = alphabet[random.nextInt(alphabet.length)];
        String alike = codePoint < 0x80 ? Alphabet.escaped(codePoint, random) : "\\w";
        return switch (random.nextInt(8)) {
            case 0 -> around + pick("\\w", "\\W", "\\s", "[^0-9a-f]", "[ -/]") + ")";
            case 1 -> around + alike + ")";
            case 2 -> around + alike + edge + ")";
            case 3, 4 -> "\\B";
            default -> "\\b";
        };
    }

    private RegexNode repeated(int depth, boolean head, boolean tail) {
        boolean leaf = depth >= MAX_DEPTH || random.nextInt(3) > 0;
        if (random.nextInt(5) < 3) {
            return leaf ? atom() : group(depth, head, tail);
        }
        RegexNode body = leaf ? atom() : group(depth, false, false);
        if (body.nullable()) {
            return new Repeat(body, pick("?", "??", "{0,1}", "{1}"), 0, 1);
        }
        String lazy = random.nextInt(3) == 0 ? "?" : "";
        int least = random.nextInt(3);
        int most = least + 1 + random.nextInt(3);
        return switch (random.nextInt(7)) {
            case 0 -> new Repeat(body, "*" + lazy, 0, Integer.MAX_VALUE);
            case 1 -> new Repeat(body, "+" + lazy, 1, Integer.MAX_VALUE);
            case 2 -> new Repeat(body, "?" + lazy, 0, 1);
            case 3 -> new Repeat(body, "{" + least + ",}" + lazy, least, Integer.MAX_VALUE);
            case 4 -> new Repeat(body, "{" + most + "}" + lazy, most, most);
            case 5 -> new Repeat(body, "{" + least + "," + 5 * most + "}" + lazy, least, 5 * most);
            default -> new Repeat(body, "{" + least + "," + most + "}" + lazy, least, most);
        };
    }

    private RegexNode group(int depth, boolean head, boolean tail) {
        String open = pick("(?:", "(?:", "(", "(?i:", "(?s:", "(?-i:", "(?<");
        if (open.equals("(?<")) {
            open = pick("(?<g_", "(?P<g_", "(?<g") + groupNames++ + ">";
        }
        return new Group(open, alternatives(depth + 1, head, tail));
    }

    private RegexNode atom() {
        return switch (random.nextInt(10)) {
            case 0 -> new Atom(".", alphabet);
            case 1, 2, 3 -> classes.next(alphabet);
            case 4 -> quotedOrLiteral();
            default -> literal();
        };
    }

    private RegexNode literal() {
        int codePoint = alphabet[random.nextInt(alphabet.length)];
        return new Atom(Alphabet.escaped(codePoint, random), new int[] {codePoint});
    }

    private RegexNode quotedOrLiteral() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.indexOf("\\") >= 0
                ? literal()
                : new Quoted("\\Q" + text + "\\E", text.toString());
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
