package io.flinkgpu.text.regex;

import java.util.ArrayList;
import java.util.List;

/** Keeps the group of a regular expression that is asked for, and leaves out the others. */
final class Groups {

    private final List<Regex.Group> all = new ArrayList<>();
    private Regex.Group wanted;

    private Groups() {}

    /**
     * The same expression with one group, or none.
     *
     * @param group its number or name; empty for none
     */
    static Regex keepOnly(Regex regex, String group, RuleErrors errors) {
        Groups groups = new Groups();
        groups.collect(regex);
        if (!group.isEmpty()) {
            groups.wanted = groups.find(group);
            if (groups.wanted == null) {
                errors.add(
                        "there is no group '%s', the regex has %d; give the number or name of one"
                                .formatted(RuleErrors.oneLine(group, 40), groups.all.size()));
            }
        }
        return groups.keep(regex);
    }

    private Regex.Group find(String group) {
        String name = JavaForm.groupName(group);
        for (Regex.Group known : all) {
            if (group.equals(Integer.toString(known.number())) || name.equals(known.name())) {
                return known;
            }
        }
        return null;
    }

    private void collect(Regex regex) {
        if (regex instanceof Regex.Group group) {
            all.add(group);
            collect(group.body());
        } else if (regex instanceof Regex.Repeat repeat) {
            collect(repeat.body());
        } else if (regex instanceof Regex.Alternate alternate) {
            alternate.options().forEach(this::collect);
        } else if (regex instanceof Regex.Concat concat) {
            concat.parts().forEach(this::collect);
        }
    }

    private Regex keep(Regex regex) {
        if (regex instanceof Regex.Group group) {
            Regex body = keep(group.body());
            boolean isWanted = wanted != null && group.number() == wanted.number();
            return isWanted ? new Regex.Group(group.number(), group.name(), body) : body;
        }
        if (regex instanceof Regex.Repeat repeat) {
            return new Regex.Repeat(
                    keep(repeat.body()), repeat.min(), repeat.max(), repeat.greedy());
        }
        if (regex instanceof Regex.Alternate alternate) {
            return new Regex.Alternate(alternate.options().stream().map(this::keep).toList());
        }
        if (regex instanceof Regex.Concat concat) {
            return new Regex.Concat(concat.parts().stream().map(this::keep).toList());
        }
        return regex;
    }
}
