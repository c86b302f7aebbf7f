package io.flinkgpu.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Parses a regex that {@link java.util.regex.Pattern} has accepted. What this library does not
 * support is reported, each construct once, and parsing goes on behind it.
 */
final class RegexParser {

    static final int MAX_REPEATS = 1000;
    static final int MAX_NESTING = 100;

    private final PatternText text;
    private final UnicodeClasses classes;
    private final ClassParser classParser;
    private final EscapeParser escapes;
    private final RuleErrors errors;
    private int at;
    private boolean ignoreCase;
    private boolean dotAll;

    RegexParser(PatternText text, UnicodeClasses classes, RuleErrors errors) {
        this.text = text;
        this.classes = classes;
        this.errors = errors;
        this.classParser = new ClassParser(text, classes);
        this.escapes = new EscapeParser(text);
    }

    /** How deep groups and classes nest; never recurses, takes any text. */
    static int nesting(PatternText text) {
        ClassParser classParser = new ClassParser(text, null);
        int depth = 0;
        int deepest = 0;
        int at = 0;
        while (at < text.length()) {
            switch (text.at(at)) {
                case '\\' -> at += 2;
                case '[' -> {
                    deepest = Math.max(deepest, depth + classParser.nesting(at));
                    at = classParser.end(at);
                }
                case '(' -> {
                    deepest = Math.max(deepest, ++depth);
                    at++;
                }
                case ')' -> {
                    depth--;
                    at++;
                }
                default -> at++;
            }
        }
        return deepest;
    }

    Regex parse() {
        return alternation();
    }

    private Regex alternation() {
        List<Regex> options = new ArrayList<>();
        options.add(sequence());
        while (text.at(at) == '|') {
            at++;
            options.add(sequence());
        }
        return options.size() == 1 ? options.get(0) : new Regex.Alternate(options);
    }

    private Regex sequence() {
        List<Regex> parts = new ArrayList<>();
        while (at < text.length() && text.at(at) != '|' && text.at(at) != ')') {
            Regex atom = atom();
            if (atom != null) {
                parts.add(quantified(atom));
            }
        }
        return parts.size() == 1 ? parts.get(0) : new Regex.Concat(parts);
    }

    /** One atom, or null if it was a flag setting. */
    private Regex atom() {
        int from = at;
        switch (text.at(at)) {
            case '(':
                return group();
            case '[':
                at = classParser.end(from);
                return bracketed(from);
            case '.':
                at++;
                return new Regex.Chars(dotAll ? CodePointSet.ALL : CodePointSet.DOT);
            case '^':
                at++;
                return new Regex.Look(Regex.Look.Kind.BEGIN, "^", text.index(from));
            case '$':
                at++;
                return new Regex.Look(Regex.Look.Kind.DOLLAR, "$", text.index(from));
            case '{':
                // The JDK reads this as a repeat of nothing.
                at = Math.max(behind('}'), from + 1);
                return refuse(
                        "quantifier with nothing of its own to repeat",
                        from,
                        "put the part to repeat into a group, as in (?:a{2}){3}");
            case '\\':
                return escape();
            default:
                return chars(text.at(at++));
        }
    }

    private Regex bracketed(int from) {
        try {
            return asked(classParser.parse(from, at, ignoreCase), from);
        } catch (PatternSyntaxException e) {
            return refuse("character class", from, "write it in a simpler way");
        }
    }

    private Regex asked(CodePointSet answer, int from) {
        if (answer != null) {
            return new Regex.Chars(answer);
        }
        return refuse(
                "character class",
                from,
                "a rule set may hold %d different ones that are not plain; write out its ranges"
                        .formatted(UnicodeClasses.MAX_ASKED));
    }

    private Regex chars(int codePoint) {
        CodePointSet set = CodePointSet.range(codePoint, codePoint);
        return new Regex.Chars(ignoreCase ? set.foldAscii() : set);
    }

    private Regex escape() {
        int from = at;
        int letter = text.at(from + 1);
        if (ClassParser.isPredefined(letter)) {
            at += 2;
            return new Regex.Chars(ClassParser.predefined(letter));
        }
        switch (letter) {
            case 'h', 'H', 'v', 'V':
                at += 2;
                return asked(classes.ask(text.substring(from, at), ignoreCase), from);
            case 'p', 'P':
                at += 2;
                at = text.at(at) == '{' ? behind('}') : at + 1;
                return asked(classes.ask(text.substring(from, at), ignoreCase), from);
            case 'A':
                return look(Regex.Look.Kind.BEGIN);
            case 'z':
                return look(Regex.Look.Kind.END);
            case 'Z':
                return look(Regex.Look.Kind.DOLLAR);
            case 'b':
                return text.startsWith("{g}", at + 2)
                        ? unsupportedEscape(letter)
                        : look(Regex.Look.Kind.WORD_BOUNDARY);
            case 'B':
                return look(Regex.Look.Kind.NOT_WORD_BOUNDARY);
            case 'G', 'R', 'X', 'N', 'k', '1', '2', '3', '4', '5', '6', '7', '8', '9':
                return unsupportedEscape(letter);
            default:
                int codePoint = escapes.codePoint(from + 1);
                at = escapes.end();
                return chars(codePoint);
        }
    }

    private Regex look(Regex.Look.Kind kind) {
        int from = at;
        at += 2;
        return new Regex.Look(kind, text.substring(from, at), text.index(from));
    }

    private Regex unsupportedEscape(int letter) {
        int from = at;
        at += 2;
        switch (letter) {
            case 'b':
                at += 3;
                return refuse("grapheme boundary", from, "leave it out, or use \\b");
            case 'G':
                return refuse("end of the previous match", from, "leave it out");
            case 'R':
                return refuse("line break", from, "write (?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])");
            case 'X':
                return refuse("grapheme cluster", from, "write . or a character class");
            case 'N':
                at = Math.max(at, behind('}'));
                return refuse("character name", from, "write the code point as \\x{h..h}");
            case 'k':
                at = Math.max(at, behind('>'));
                return refuse("backreference", from, "write the text out, or use a validator");
            default:
                while (text.at(at) >= '0' && text.at(at) <= '9') {
                    at++;
                }
                return refuse("backreference", from, "write the text out, or use a validator");
        }
    }

    /** The position behind the next such code point, or the end. */
    private int behind(int codePoint) {
        int end = at;
        while (end < text.length() && text.at(end) != codePoint) {
            end++;
        }
        return Math.min(end + 1, text.length());
    }

    private Regex refuse(String construct, int from, String remedy) {
        errors.refuse(construct, text.substring(from, at), text.index(from), remedy);
        return Regex.NOTHING;
    }

    private Regex group() {
        int from = at;
        boolean savedIgnoreCase = ignoreCase;
        boolean savedDotAll = dotAll;
        at++;
        Regex refused = null;
        if (text.at(at) == '?') {
            at++;
            int kind = text.at(at);
            boolean behind = kind == '<' && (text.at(at + 1) == '=' || text.at(at + 1) == '!');
            if (kind == '=' || kind == '!' || behind) {
                at += behind ? 2 : 1;
                refused =
                        refuse(
                                behind ? "lookbehind" : "lookahead",
                                from,
                                "write the context into the rule, or use a validator");
            } else if (kind == '>') {
                at++;
                refused = refuse("atomic group", from, "write (?:...)");
            } else if (kind == '<') {
                at = behind('>');
            } else if (!flags()) {
                return null;
            }
        }
        Regex body = alternation();
        at++;
        ignoreCase = savedIgnoreCase;
        dotAll = savedDotAll;
        return refused != null ? refused : body;
    }

    /** Reads flags up to {@code :} or {@code )}; whether a group's body follows. */
    private boolean flags() {
        boolean on = true;
        for (; ; at++) {
            int from = at;
            switch (text.at(at)) {
                case '-' -> on = false;
                case 'i' -> ignoreCase = on;
                case 's' -> dotAll = on;
                case ':', ')', PatternText.END -> {
                    at++;
                    return text.at(from) == ':';
                }
                default -> refuseFlag(on);
            }
        }
    }

    private void refuseFlag(boolean on) {
        int from = at;
        if (on) {
            errors.refuse(
                    "flag",
                    text.substring(from, from + 1),
                    text.index(from),
                    flagRemedy(text.at(from)));
        }
    }

    private static String flagRemedy(int flag) {
        return switch (flag) {
            case 'm' -> "match the line ends themselves, as in (?:\\A|\\n)";
            case 'x' -> "write the rule without spaces and comments";
            case 'u', 'U' -> "list the characters in a class, as in [\u00e9\u00c9]";
            case 'd' -> "write [^\\n] for the dot";
            default -> "leave it out";
        };
    }

    private Regex quantified(Regex atom) {
        int from = at;
        int min;
        int max = Regex.Repeat.UNBOUNDED;
        switch (text.at(at)) {
            case '?' -> {
                min = 0;
                max = 1;
            }
            case '*' -> min = 0;
            case '+' -> min = 1;
            case '{' -> {
                min = number();
                max = min;
                if (text.at(at) == ',') {
                    max = text.at(at + 1) == '}' ? Regex.Repeat.UNBOUNDED : number();
                    at = behind('}') - 1;
                }
            }
            default -> {
                return atom;
            }
        }
        at++;
        boolean greedy = text.at(at) != '?';
        boolean possessive = text.at(at) == '+';
        if (!greedy || possessive) {
            at++;
        }
        if (possessive) {
            return refuse(
                    "possessive quantifier",
                    from,
                    "write \""
                            + text.substring(from, at - 1)
                            + "\" if nothing the body matches may follow");
        }
        return repeat(atom, min, max, greedy, from);
    }

    private Regex repeat(Regex atom, int min, int max, boolean greedy, int from) {
        boolean tooMany = min > MAX_REPEATS || max > MAX_REPEATS && max != Regex.Repeat.UNBOUNDED;
        if (tooMany) {
            return refuse(
                    "quantifier",
                    from,
                    "at most " + MAX_REPEATS + " repeats are, or no upper limit");
        }
        if (max > 1 && atom.nullable()) {
            return refuse(
                    "quantifier over a body that can be empty",
                    from,
                    "let every pass match at least one character");
        }
        return new Regex.Repeat(atom, min, max, greedy);
    }

    /** The number behind the current position, which then is that behind the number; saturates. */
    private int number() {
        long number = 0;
        at++;
        while (text.at(at) >= '0' && text.at(at) <= '9') {
            number = Math.min(MAX_REPEATS + 1, 10 * number + text.at(at) - '0');
            at++;
        }
        return (int) number;
    }
}
