package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rule sets for tests. */
public final class TestRules {

    /** Secrets, personal data and addresses: a set of the size and shape that users have. */
    private static final String[] DEFAULTS = {
        "-----BEGIN (?:[A-Z]+ ){0,2}PRIVATE KEY-----(?:[A-Za-z0-9+/=\\s]|\\\\[nr])*(?:-----END (?:[A-Z]+ ){0,2}PRIVATE KEY-----)?",
        "\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*",
        "\\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\\b",
        "\\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\\bhooks\\.slack\\.com/services/[A-Za-z0-9/_]{20,}",
        "\\b(?:AKIA|ASIA)[A-Z2-7]{16}\\b",
        "(?i)\\baws_?secret_?(?:access_?)?key[\\\"']?\\s{0,3}(?:=>?|:)\\s{0,3}[\\\"']?[a-z0-9/+]{40}",
        "\\b[A-Za-z][A-Za-z0-9+.-]*://[^\\s/?#@:]*:[^\\s/?#@]+@",
        "(?i)\\b(?:authorization\\s{0,3}[:=]\\s{0,3}(?:bearer|basic|token)\\s+|bearer\\s+)[a-z0-9._~+/-]{8,}=*",
        "(?i)\\b(?:password|passwd|pwd|secret|api[_-]?key|(?:access|auth)[_-]?token)[\\\"']?\\s{0,3}[:=]\\s{0,3}[\\\"']?[^\\s\\\"',;&]{4,}",
        "\\b[A-Za-z0-9][A-Za-z0-9._%+-]*@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,}",
        "\\b(?:[2-6]\\d{3}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{1,7}|3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5})\\b",
        "\\b[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\\b",
        "\\b(?:00[1-9]|0[1-9]\\d|[1-578]\\d{2}|6[0-57-9]\\d|66[0-57-9])-(?:0[1-9]|[1-9]\\d)-(?:000[1-9]|00[1-9]\\d|0[1-9]\\d{2}|[1-9]\\d{3})\\b",
        "\\+[1-9]\\d{0,2}[ .-]?(?:\\(\\d{1,4}\\)[ .-]?)?\\d{2,4}(?:[ .-]?\\d{2,4}){1,4}\\b|(?:\\([2-9]\\d{2}\\) ?|\\b[2-9]\\d{2}[.-])[2-9]\\d{2}[.-]\\d{4}\\b",
        "\\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\\b",
        "\\b[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}\\b|\\b[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}\\b",
        "(?i)\\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\\b|\\b(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\\b|::(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4}\\b",
        "\\b(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\b",
        "\\bS-1-\\d{1,14}(?:-\\d{1,10}){1,15}\\b",
        "(?i)(?:\\b[a-z]:\\\\users\\\\|/home/|/users/)[^\\\\/:*?\\\"<>|\\s]+",
        "(?i)\\b(?:dob|date of birth|birth ?date)[\\\"']?\\s{0,3}[:=]?\\s{0,3}(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4})"
    };

    private TestRules() {}

    public static RuleSet of(String... regexes) {
        return of(Arrays.asList(regexes));
    }

    public static RuleSet of(List<String> regexes) {
        List<Rule> rules = new ArrayList<>();
        for (String regex : regexes) {
            rules.add(Rule.of("rule" + (rules.size() + 1), regex, new Action.Label("[X]")));
        }
        return RuleSet.of(rules);
    }

    public static RuleSet defaults() {
        return of(DEFAULTS);
    }
}
