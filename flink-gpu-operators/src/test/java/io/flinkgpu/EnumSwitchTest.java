package io.flinkgpu;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import org.junit.jupiter.api.Test;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A switch over an enum of the library names each of its constants and has no {@code default}, so that a
 * new constant is an error of the compiler, or of this test, and not a guess. Switches are found in the
 * sources, where a label without a qualifier is the constant of an enum.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class EnumSwitchTest {

    private static final Path SOURCES = Path.of("src/main/java");

    @Test
    void switchesOverEnumsNameEachConstantAndNoDefault() throws IOException {
        List<CompilationUnitTree> units = parse();
        List<Set<String>> enums = new ArrayList<>();
        units.forEach(unit -> new Enums(enums).scan(unit, null));
        List<String> guesses = new ArrayList<>();
        for (CompilationUnitTree unit : units) {
            new Switches(unit, enums, guesses).scan(unit, null);
        }
        assertThat(enums).hasSizeGreaterThan(15);
        assertThat(guesses).isEmpty();
    }

    private static List<CompilationUnitTree> parse() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> paths = Files.walk(SOURCES)) {
            List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            return units;
        }
    }

    /** Collects the constants of each enum. */
    private static final class Enums extends TreeScanner<Void, Void> {

        private final List<Set<String>> enums;

        Enums(List<Set<String>> enums) {
            this.enums = enums;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (type.getKind() == Tree.Kind.ENUM) {
                String name = type.getSimpleName().toString();
                enums.add(
                        type.getMembers().stream()
                                .filter(VariableTree.class::isInstance)
                                .map(VariableTree.class::cast)
                                .filter(field -> field.getType().toString().equals(name))
                                .map(field -> field.getName().toString())
                                .collect(Collectors.toSet()));
            }
            return super.visitClass(type, unused);
        }
    }

    /** Collects the switches that leave out a constant. */
    private static final class Switches extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final List<Set<String>> enums;
        private final List<String> guesses;

        Switches(CompilationUnitTree unit, List<Set<String>> enums, List<String> guesses) {
            this.unit = unit;
            this.enums = enums;
            this.guesses = guesses;
        }

        @Override
        public Void visitSwitch(SwitchTree tree, Void unused) {
            check(tree.getExpression(), tree.getCases());
            return super.visitSwitch(tree, unused);
        }

        @Override
        public Void visitSwitchExpression(SwitchExpressionTree tree, Void unused) {
            check(tree.getExpression(), tree.getCases());
            return super.visitSwitchExpression(tree, unused);
        }

        private void check(ExpressionTree of, List<? extends CaseTree> cases) {
            Set<String> labels = new HashSet<>();
            boolean hasDefault = false;
            for (CaseTree branch : cases) {
                hasDefault |= branch.getExpressions().isEmpty();
                for (ExpressionTree label : branch.getExpressions()) {
                    labels.add(
                            label instanceof IdentifierTree constant
                                    ? constant.getName().toString()
                                    : "not a constant: " + label);
                }
            }
            boolean isOfEnum = enums.stream().anyMatch(all -> all.containsAll(labels));
            if (isOfEnum && (hasDefault || !enums.contains(labels))) {
                guesses.add(unit.getSourceFile().getName() + ": switch " + of);
            }
        }
    }
}
