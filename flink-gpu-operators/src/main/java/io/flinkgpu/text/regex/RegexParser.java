package io.flinkgpu.text.regex;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Parses a regex that {@link java.util.regex.Pattern} has accepted. What this library does not
 * support is reported, each construct once, and parsing goes on after it.
 */
final class RegexParser {

    static final int MAX_NESTING = 100;

    private static final CodePointSet LINE_FEED = CodePointSet.range('\n', '\n');

    private final PatternText text;
    private final UnicodeClasses classes;
    private final ClassParser classParser;
    private final EscapeParser escapes;
    private final QuantifierParser quantifiers;
    private final RuleErrors errors;
    private int at;
    private boolean ignoreCase;
    private boolean dotAll;
    private boolean multiline;
    private boolean unixLines;
    private boolean comments;
    private int groups;
    private int depth;

    RegexParser(PatternText text, UnicodeClasses classes, RuleErrors errors) {
        this.text = text;
        this.classes = classes;
        this.errors = errors;
        this.classParser = new ClassParser(text, classes);
        this.escapes = new EscapeParser(text);
        this.quantifiers = new QuantifierParser(text);
    }

    /** How deep groups and classes nest; never recurses, takes any text. */
    static int nesting(PatternText text) {
        ClassParser classParser = new ClassParser(text, null);
        int depth = 0;
        int deepest = 0;
        int at = 0;
        while (at < text.length()) {
            switch (text.at(at)) {
                case '\\' -> at += text.at(at + 1) == 'c' ? 3 : 2;
                case '[' -> {
                    deepest = Math.max(deepest, depth + classParser.nesting(at));
                    at = classParser.end(at, false);
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
                at = classParser.end(from, comments);
                return bracketed(from);
            case '.':
                at++;
                return new Regex.Chars(dot());
            case '^':
                at++;
                return begin(from);
            case '$':
                at++;
                return end(from);
            case '{':
                // The JDK reads this as a repeat of nothing.
                at = text.after('}', from);
                return refuse(
                        "quantifier with nothing of its own to repeat",
                        from,
                        "put the part to repeat into a group, as in (?:a{2}){3}");
            case '\\':
                return escape();
            case '\b':
                // Most likely a word boundary: quotes of Java or YAML took its backslash.
                at++;
                return refuse(
                        "backspace",
                        from,
                        "write \\b for a word boundary, which is \\\\b in double quotes of YAML and"
                                + " Java, or \\x08 for the character");
            default:
                return chars(text.at(at++));
        }
    }

    private CodePointSet dot() {
        if (dotAll) {
            return CodePointSet.ALL;
        }
        return unixLines ? LINE_FEED.negate() : CodePointSet.DOT;
    }

    private Regex begin(int from) {
        if (!multiline) {
            return new Regex.Look(Regex.Look.Kind.BEGIN, "^", text.index(from));
        }
        if (!unixLines) {
            return refuse(
                    "start of a line",
                    from,
                    "write (?dm) for (?m), where \\n alone ends a line, or (?:^|\\n)");
        }
        // The JDK has no line start at the end of the text.
        return new Regex.Concat(
                List.of(
                        new Regex.Neighbor(true, LINE_FEED, true),
                        new Regex.Neighbor(false, CodePointSet.ALL, false)));
    }

    private Regex end(int from) {
        if (multiline && unixLines) {
            return new Regex.Neighbor(false, LINE_FEED, true);
        }
        Regex.Look.Kind once = unixLines ? Regex.Look.Kind.UNIX_DOLLAR : Regex.Look.Kind.DOLLAR;
        return new Regex.Look(multiline ? Regex.Look.Kind.LINE_END : once, "$", text.index(from));
    }

    private Regex bracketed(int from) {
        try {
            return asked(classParser.parse(from, at, ignoreCase, comments), from);
        } catch (PatternSyntaxException | NullPointerException e) {
            // The JDK compiles [a-cx&&], with nothing after the &&, and fails where it is asked.
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
        Unsupported unsupported = Unsupported.escape(text, from);
        if (unsupported != null) {
            return refuse(unsupported, from);
        }
        if (ClassParser.isPredefined(letter)) {
            at += 2;
            return new Regex.Chars(ClassParser.predefined(letter));
        }
        switch (letter) {
            case 'h', 'H', 'v', 'V':
                at += 2;
                return asked(classes.ask(text.substring(from, at), ignoreCase, false), from);
            case 'p', 'P':
                at += 2;
                at = text.at(at) == '{' ? text.after('}', at) : at + 1;
                return asked(classes.ask(text.substring(from, at), ignoreCase, false), from);
            case 'A':
                return look(Regex.Look.Kind.BEGIN);
            case 'z':
                return look(Regex.Look.Kind.END);
            case 'Z':
                return look(unixLines ? Regex.Look.Kind.UNIX_DOLLAR : Regex.Look.Kind.DOLLAR);
            case 'b':
                return look(Regex.Look.Kind.WORD_BOUNDARY);
            case 'B':
                return look(Regex.Look.Kind.NOT_WORD_BOUNDARY);
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

    private Regex refuse(String construct, int from, String remedy) {
        errors.refuse(construct, text.substring(from, at), text.index(from), remedy);
        return Regex.Chars.NOTHING;
    }

    private Regex refuse(Unsupported unsupported, int from) {
        at = unsupported.end();
        return refuse(unsupported.name(), from, unsupported.remedy());
    }

    private Regex group() {
        int from = at;
        boolean savedIgnoreCase = ignoreCase;
        boolean savedDotAll = dotAll;
        boolean savedMultiline = multiline;
        boolean savedUnixLines = unixLines;
        boolean savedComments = comments;
        Unsupported unsupported = Unsupported.group(text, from);
        Lookaround around = Lookaround.at(text, from);
        int number = 0;
        String name = null;
        if (unsupported != null) {
            refuse(unsupported, from);
        } else if (around != null) {
            at = around.bodyFrom();
        } else if (text.startsWith("(?<", from)) {
            at = text.after('>', from);
            number = ++groups;
            name = text.substring(from + 3, at - 1);
        } else if (text.startsWith("(?", from)) {
            at = from + 2;
            if (!flags()) {
                return null;
            }
        } else {
            at++;
            number = ++groups;
        }
        if (++depth > MAX_NESTING) {
            at = text.length();
            return Regex.Chars.NOTHING;
        }
        Regex body = alternation();
        depth--;
        at++;
        ignoreCase = savedIgnoreCase;
        dotAll = savedDotAll;
        multiline = savedMultiline;
        unixLines = savedUnixLines;
        comments = savedComments;
        if (unsupported != null) {
            return Regex.Chars.NOTHING;
        }
        if (around != null) {
            return neighbor(around, body, from);
        }
        return number == 0 ? body : new Regex.Group(number, name, body);
    }

    private Regex neighbor(Lookaround around, Regex body, int from) {
        Regex parsed = around.parsed(body);
        if (parsed != null) {
            return parsed;
        }
        int end = at;
        at = around.bodyFrom();
        Regex refused = refuse(around.name(), from, around.remedy(body));
        at = end;
        return refused;
    }

    /** Reads flags up to {@code :} or {@code )}; whether a group's body follows. */
    private boolean flags() {
        boolean on = true;
        while (text.at(at) != ':' && text.at(at) != ')' && at < text.length()) {
            int flag = text.at(at);
            if (flag == '-') {
                on = false;
            } else if (flag == 'i') {
                ignoreCase = on;
            } else if (flag == 's') {
                dotAll = on;
            } else if (flag == 'm') {
                multiline = on;
            } else if (flag == 'd') {
                unixLines = on;
            } else if (flag == 'x') {
                comments = on;
            } else if (on) {
                refuse(Unsupported.flag(text, at), at);
                continue;
            }
            at++;
        }
        return text.at(at++) == ':';
    }

    private Regex quantified(Regex atom) {
        int from = at;
        if (!quantifiers.read(from)) {
            return atom;
        }
        at = quantifiers.end();
        if (quantifiers.isPossessive()) {
            return refuse(
                    "possessive quantifier",
                    from,
                    "write the greedy \"%s\"".formatted(text.substring(from, at - 1)));
        }
        if (quantifiers.isTooLarge()) {
            return refuse(
                    "quantifier",
                    from,
                    "at most %d repeats are, or no upper limit"
                            .formatted(QuantifierParser.MAX_REPEATS));
        }
        if (quantifiers.max() > 1 && atom.nullable()) {
            return refuse(
                    "quantifier over a body that can be empty",
                    from,
                    "let every pass match at least one character");
        }
        return new Regex.Repeat(atom, quantifiers.min(), quantifiers.max(), !quantifiers.isLazy());
    }
}
