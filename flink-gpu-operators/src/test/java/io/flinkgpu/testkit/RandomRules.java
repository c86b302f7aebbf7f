package io.flinkgpu.testkit;

import io.flinkgpu.api.RuleSet;

import java.util.List;
import java.util.Random;

/** A random rule set, and rows in which it finds something. */
public record RandomRules(RuleSet rules, byte[][] rows) {

    public static RandomRules of(long seed, int rows) {
        Random random = new Random(seed);
        RuleGen gen = new RuleGen(random);
        List<RuleGen.Generated> rules = gen.rules();
        return new RandomRules(
                RuleGen.ruleSet(rules), new TextGen(rules, gen.alphabet(), random).rows(rows));
    }
}
