package io.flinkgpu.applications;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.Form;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleException;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.rules.DefaultRules;
import io.flinkgpu.rules.RuleFiles;
import io.flinkgpu.rules.RuleGroup;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules that a command line asks for, checked.
 *
 * @param rules what to redact
 * @param gpuOptions how
 */
public record RuleChoice(CompiledRules rules, GpuOptions gpuOptions) {

    /**
     * Checks rules and key.
     *
     * @param file of rules; the default ones if there is none
     * @param groups of the default rules; empty for all of them
     * @param forms under which records are searched too, in place of those of the file; none for those
     * @param hashKeyFile of the key of rules with a hash action
     * @throws UsageException with every error
     */
    public static RuleChoice check(
            Optional<Path> file,
            Set<RuleGroup> groups,
            List<Form> forms,
            Optional<Path> hashKeyFile,
            BackendChoice backend)
            throws UsageException {
        List<String> errors = new ArrayList<>();
        Optional<HashKey> key = hashKeyFile.map(Path::toAbsolutePath).map(HashKey::fromFile);
        key.flatMap(RuleChoice::keyProblem).ifPresent(errors::add);
        Optional<CompiledRules> rules = rules(file, groups, forms, errors);
        rules.flatMap(compiled -> missingKey(compiled.ruleSet(), key)).ifPresent(errors::add);
        if (!errors.isEmpty()) {
            throw new UsageException(errors);
        }
        GpuOptions gpuOptions = GpuOptions.DEFAULT.withBackend(backend);
        return new RuleChoice(
                rules.orElseThrow(), key.map(gpuOptions::withHashKey).orElse(gpuOptions));
    }

    private static Optional<CompiledRules> rules(
            Optional<Path> file, Set<RuleGroup> groups, List<Form> forms, List<String> errors) {
        try {
            RuleSet defaults = groups.isEmpty() ? DefaultRules.get() : DefaultRules.of(groups);
            RuleSet rules = file.isPresent() ? RuleFiles.read(file.get()) : defaults;
            RuleSet viewed = forms.isEmpty() ? rules : rules.withForms(forms);
            return Optional.of(RuleCompiler.compile(viewed).requireMatchable());
        } catch (RuleException e) {
            errors.addAll(e.errors());
        } catch (IllegalArgumentException e) {
            errors.add(e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<String> missingKey(RuleSet rules, Optional<HashKey> key) {
        Stream<Rule> hashRules =
                rules.rules().stream()
                        .filter(rule -> RuleSet.of(rule).needsHashKey() && key.isEmpty());
        return hashRules
                .findFirst()
                .map(
                        rule ->
                                "rule '"
                                        + rule.name()
                                        + "' has a hash action and there is no key: name a file of"
                                        + " at least "
                                        + HashKey.MIN_BYTES
                                        + " random bytes with --hash-key-file");
    }

    private static Optional<String> keyProblem(HashKey key) {
        try {
            key.load();
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }
}
