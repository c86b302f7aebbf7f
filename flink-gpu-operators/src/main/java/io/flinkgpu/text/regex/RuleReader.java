package io.flinkgpu.text.regex;

import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Parses regular expressions and checks that each is one this library supports. */
@Internal
public final class RuleReader {

    static final int MAX_REGEX_CHARS = 65_536;

    private final RuleErrors errors = new RuleErrors();
    private final UnicodeClasses classes = new UnicodeClasses();

    private RuleReader() {}

    /**
     * The parsed rules, in order.
     *
     * @throws RuleException with every error of every rule
     */
    public static List<Regex> read(RuleSet rules) {
        return new RuleReader().readAll(rules);
    }

    /**
     * A parsed regular expression, which may match the empty string.
     *
     * @param line makes the line of a problem
     * @throws RuleException with every error
     */
    public static Regex read(String regex, UnaryOperator<String> line) {
        RuleReader reader = new RuleReader();
        reader.errors.about(line);
        Regex parsed = Groups.keepOnly(reader.parse(regex), "", reader.errors);
        reader.errors.throwIfAny();
        return parsed;
    }

    private List<Regex> readAll(RuleSet rules) {
        List<Regex> regexes = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            errors.about(rules, rule);
            int errorsBefore = errors.count();
            Regex parsed = parse(rules.rule(rule).regex());
            String group = rules.rule(rule).group();
            if (errors.count() == errorsBefore) {
                parsed = Groups.keepOnly(parsed, group, errors);
            }
            if (parsed.nullable() && errors.count() == errorsBefore) {
                errors.add("it can match the empty string; let it match at least one character");
            }
            regexes.add(parsed);
        }
        errors.throwIfAny();
        return regexes;
    }

    private Regex parse(String regex) {
        if (regex.length() > MAX_REGEX_CHARS) {
            errors.add(
                    "the regex is too long: chars=%d, at most %d; split the regex"
                            .formatted(regex.length(), MAX_REGEX_CHARS));
            return Regex.Chars.NOTHING;
        }
        JavaForm form = JavaForm.of(regex);
        PatternText text = Comments.strip(PatternText.of(form));
        int nesting = RegexParser.nesting(text);
        if (nesting > RegexParser.MAX_NESTING) {
            errors.add(
                    "groups nest too deeply: nesting=%d, at most %d; flatten the regex"
                            .formatted(nesting, RegexParser.MAX_NESTING));
            return Regex.Chars.NOTHING;
        }
        if (!isJavaRegex(form)) {
            return Regex.Chars.NOTHING;
        }
        Regex parsed = new RegexParser(text, classes, errors).parse();
        Anchors.check(parsed, errors);
        return parsed;
    }

    private boolean isJavaRegex(JavaForm form) {
        String regex = form.regex();
        try {
            Pattern.compile(regex);
            return true;
        } catch (PatternSyntaxException e) {
            if (e.getDescription().startsWith("Stack overflow")) {
                return cannotHold();
            }
            // The JDK counts in the regex as it is once quotes are worked in.
            boolean known = e.getIndex() >= 0 && !regex.contains("\\Q");
            String where = known ? " at index " + form.writtenIndex(e.getIndex()) : "";
            errors.add("syntax error%s: %s".formatted(where, e.getDescription()));
            return false;
        } catch (StackOverflowError e) {
            // Some JDK versions leave it to the caller.
            return cannotHold();
        }
    }

    private boolean cannotHold() {
        errors.add("it is too long for the JDK's regex parser; split the regex");
        return false;
    }
}
