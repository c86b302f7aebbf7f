package io.flinkgpu;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The library's classes as they were compiled, read once for all tests of its architecture. */
final class MainClasses {

    static final String ROOT = "io.flinkgpu";

    static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    private MainClasses() {}

    /** By package, the packages of the library that it imports; all names are relative. */
    static SortedMap<String, SortedSet<String>> imports() {
        SortedMap<String, SortedSet<String>> imports = new TreeMap<>();
        for (JavaClass type : ALL) {
            String from = relative(type.getPackageName());
            SortedSet<String> targets = imports.computeIfAbsent(from, name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .map(JavaClass::getPackageName)
                    .filter(name -> name.startsWith(ROOT))
                    .map(MainClasses::relative)
                    .filter(name -> !name.equals(from))
                    .forEach(targets::add);
        }
        return imports;
    }

    /** {@code backend.cpu} for {@code io.flinkgpu.backend.cpu}; the root keeps its name. */
    static String relative(String packageName) {
        return packageName.equals(ROOT) ? ROOT : packageName.substring(ROOT.length() + 1);
    }

    static String full(String relativeName) {
        return relativeName.equals(ROOT) ? ROOT : ROOT + "." + relativeName;
    }
}
